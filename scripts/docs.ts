/**
 * `npm run docs` builds the site of the documentation into dist/site; `docs:serve` builds and shows it; `check:docs`
 * builds it, and checks links, spelling, reading ease, claims, code, search, and pages for barriers. Each installs its
 * packages. `check:docs -- prose claims` runs these checks alone, and builds nothing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkClaims } from "./docs/check-claims.ts";
import { checkProse } from "./docs/check-prose.ts";
import { checkSite } from "./docs/check-site.ts";
import { runBlocks } from "./docs/run-blocks.ts";
import { type Outcome, runSteps, type Step } from "./docs/step.ts";

const ROOT = join(import.meta.dirname, "..");
const SITE = join(ROOT, "scripts", "docs", "site");
const [task = "build", ...args] = process.argv.slice(2);

function run(command: string, words: readonly string[], cwd = ROOT): void {
  const { status } = spawnSync(command, words, { cwd, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

function installSite(): void {
  const versions = (file: string): string | undefined => {
    if (!existsSync(file)) return undefined;
    const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, { version?: string }> };
    return packages["node_modules/vitepress"]?.version;
  };
  const installed = versions(join(SITE, "node_modules", ".package-lock.json"));
  if (installed !== undefined && installed === versions(join(SITE, "package-lock.json"))) return;
  console.error("Installing what builds the site.");
  run("npm", ["ci", "--loglevel=error", "--no-audit", "--no-fund"], SITE);
}

const CHECKS: readonly Step[] = [
  { name: "links", run: checkLinks },
  { name: "prose", run: checkProse },
  { name: "claims", run: async () => checkClaims() },
  { name: "code", run: (report) => runBlocks({ report }) },
  { name: "site", run: (report) => checkSite({ report }) },
];

const names = CHECKS.map(({ name }) => name);
if (task === "check" && args.some((arg) => !names.includes(arg))) {
  console.error(`Usage: npm run check:docs [-- ${names.join(" ")}]`);
  process.exit(2);
}
const chosen = CHECKS.filter(({ name }) => args.length === 0 || args.includes(name));

installSite();
const vitepress = join(SITE, "node_modules", ".bin", "vitepress");
// It ends with an error at a link that leads nowhere.
if (task !== "check" || chosen.some(({ name }) => name === "site")) run(vitepress, ["build", SITE]);
if (task === "serve") run(vitepress, ["preview", SITE, ...args]);
if (task === "check") process.exit((await runSteps(chosen)) === 0 ? 0 : 1);

/** Runs the tests of links, anchors, pictures, settings and commands, which `npm test` has too. */
async function checkLinks(): Promise<Outcome> {
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, "run", "test/docs/pages.test.ts"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const findings = status === 0 ? [] : [`test/docs/pages.test.ts fails:\n${stdout}${stderr}`];
  return { looked: "links, anchors, pictures, settings, commands", findings };
}
