/**
 * `npm run conformance [-- --write]`: writes docs/conformance.md, prints the matrix, and runs every cell of it, as `npm
 * test` does with all other tests. With `--write` it runs none.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { FURTHER_ROWS } from "../test/conformance/further-rows.ts";
import { matrixMarkdown } from "../test/conformance/matrix.ts";
import { topics } from "../test/conformance/topics/index.ts";

const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
const markdown = matrixMarkdown(topics, FURTHER_ROWS);
writeFileSync("docs/conformance.md", markdown);
console.log(markdown);
if (!values.write) {
  const { status } = spawnSync("vitest", ["run", "test/conformance"], { stdio: "inherit" });
  process.exit(status ?? 1);
}
