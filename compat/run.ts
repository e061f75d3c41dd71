/**
 * `npm run compat -- SUITE [NAME ...]`: runs what others keep against a service, in temporary folders, with what their
 * registries have. Writes the suite's part of docs/compatibility.md, or of docs/failed-calls.md.
 */
const SUITES: Readonly<
  Record<string, () => Promise<{ readonly run: (names: readonly string[]) => Promise<boolean> }>>
> = {
  clients: () => import("./clients/suite.ts"),
  load: () => import("./load/suite.ts"),
  servers: () => import("./servers/suite.ts"),
  sessions: () => import("./sessions/suite.ts"),
  statuses: () => import("./statuses/suite.ts"),
  tools: () => import("./tools/suite.ts"),
};

const [name = "", ...names] = process.argv.slice(2);
const load = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
if (load === undefined) {
  console.error(`usage: npm run compat -- ${Object.keys(SUITES).join("|")} [NAME ...]`);
  process.exit(2);
}
const { run } = await load();
process.exit((await run(names)) ? 0 : 1);
