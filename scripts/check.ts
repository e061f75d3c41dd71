/** `npm run check`: all that can be said of the project without running it. Stops at the first step that fails. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const BASELINE = "test/proto/baseline.binpb";

const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ["generate", "node", "scripts/generate.ts"],
  ["format and lint", "biome", "check", "--error-on-warnings", "."],
  ["types", "tsc", "-p", "."],
  ["types of the dashboard's pages", "tsc", "-p", "src/dashboard"],
  ["OpenAPI", "node", "scripts/lint-openapi.ts"],
  ["architecture", "vitest", "run", "test/architecture.test.ts"],
  ["proto lint", "buf", "lint"],
  ["proto format", "buf", "format", "--diff", "--exit-code", "--path", "proto/attune", "proto"],
  ["proto breaking", "buf", "breaking", "proto", "--against", BASELINE],
];

if (!existsSync(BASELINE)) throw new Error(`${BASELINE} is missing: it is what 'proto breaking' compares with`);
for (const [name, command, ...args] of steps) {
  const begin = performance.now();
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) {
    console.error(`check: ${name} failed`);
    process.exit(1);
  }
  console.error(`check: ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
}
