// What the npm scripts call: installs what is missing, then runs a program of the project with the pinned Node.
import { ensureInstalled, root, runAttune, runNode } from "./runtime.mjs";

const [task, ...args] = process.argv.slice(2);
const programs = {
  test: () => ["node_modules/vitest/vitest.mjs", "run", ...args],
  slow: () => ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.slow.config.ts", ...args],
  watch: () => ["node_modules/vitest/vitest.mjs", ...args],
  check: () => ["scripts/check.ts", ...args],
  generate: () => ["scripts/generate.ts", ...args],
  demo: () => ["scripts/demo.ts", ...args],
  docs: () => ["scripts/docs.ts", ...args],
  "docs:pictures": () => ["scripts/docs/pictures.ts", ...args],
  bench: () => ["test/bench/run.ts", ...args],
  "bench:admission": () => ["--expose-gc", "test/bench/admission.ts", ...args],
  "bench:telemetry": () => ["test/bench/telemetry.ts", ...args],
  "bench:bodies": () => ["test/bench/bodies.ts", ...args],
  "bench:files": () => ["test/bench/files-of-call.ts", ...args],
  "bench:idle": () => ["test/bench/idle.ts", ...args],
  "bench:memory": () => ["test/bench/memory.ts", ...args],
  "bench:start": () => ["test/bench/start.ts", ...args],
  "bench:queries": () => ["test/bench/queries.ts", ...args],
  "bench:dashboard": () => ["test/bench/dashboard.ts", ...args],
  "bench:soak": () => ["test/bench/soak.ts", ...args],
  "bench:store": () => ["test/bench/store.ts", ...args],
  "bench:learning": () => ["test/bench/learning.ts", ...args],
  "bench:routing": () => ["test/bench/routing.ts", ...args],
  "bench:trials": () => ["test/bench/trials.ts", ...args],
  "bench:replay": () => ["test/bench/replay.ts", ...args],
  "bench:policy": () => ["--expose-gc", "test/bench/policy.ts", ...args],
  python: () => ["scripts/python-sdks.ts", ...args],
  clients: () => ["scripts/clients.ts", ...args],
  chaos: () => ["node_modules/vitest/vitest.mjs", "run", "--config", "test/chaos/vitest.config.ts", ...args],
  attack: () => ["test/attack/run.ts", ...args],
  dashboard: () => [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/dashboard/walk/vitest.config.ts",
    ...args,
  ],
  compat: () => ["compat/run.ts", ...args],
  conformance: () => ["scripts/conformance.ts", ...args],
  "check:release": () => [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/release/vitest.config.ts",
    ...args,
  ],
  release: () => ["scripts/release/release.ts", ...args],
  "release:schema": () => [
    "--import",
    "./test/support/schema-fixture/fixed-world.ts",
    "scripts/release/schema-fixture.ts",
  ],
};
const program = programs[task];
if (program === undefined && task !== "attune") {
  process.stderr.write(
    `usage: node scripts/run.mjs ${["attune", ...Object.keys(programs)].join("|")} [argument ...]\n`,
  );
  process.exit(2);
}
await ensureInstalled({ dev: !["attune", "demo"].includes(task) });
if (program === undefined) {
  // Relative paths on the command line mean the folder that it was typed in.
  runAttune(args);
} else {
  process.chdir(root);
  runNode(program());
}
