/** `npm run conformance`: writes docs/conformance.md, prints the matrix, and runs every cell of it. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { FURTHER_ROWS } from "../test/conformance/further-rows.ts";
import { matrixMarkdown } from "../test/conformance/matrix.ts";
import { topics } from "../test/conformance/topics/index.ts";

const markdown = matrixMarkdown(topics, FURTHER_ROWS);
writeFileSync("docs/conformance.md", markdown);
console.log(markdown);
const { status } = spawnSync("vitest", ["run", "test/conformance"], { stdio: "inherit" });
process.exit(status ?? 1);
