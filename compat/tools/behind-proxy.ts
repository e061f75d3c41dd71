/** `node behind-proxy.ts NAME`: runs the release tests of a proxy of the PATH, and prints what held. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const root = join(import.meta.dirname, "..", "..");
const [, , name = ""] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "attune-behind-proxy-"));
const file = join(folder, "report.json");
const files = ["test/release/proxies.release.ts", "test/release/below-a-path.release.ts"];
const reports = ["--reporter", "json", "--outputFile", file];
const config = ["--config", "test/release/vitest.config.ts"];
const args = ["node_modules/vitest/vitest.mjs", "run", ...config, ...files, "-t", name, ...reports];
spawnSync(process.execPath, args, { cwd: root, stdio: "ignore" });
const { testResults } = JSON.parse(readFileSync(file, "utf8")) as Report;
const run = testResults.flatMap((each) => each.assertionResults).filter(({ status }) => /^(pass|fail)ed$/.test(status));
for (const [group = "", tests] of Map.groupBy(run, ({ ancestorTitles }) => ancestorTitles[0])) {
  const rule = /^below .+, which (.+)$/.exec(group)?.[1];
  const where =
    rule === undefined ? "JSON, streams, gRPC, WebSockets" : `a browser and sign-in below a path (it ${rule})`;
  const failed = tests.filter(({ status }) => status === "failed");
  for (const { title, failureMessages } of failed)
    console.log(`failed ${where}: ${title}: ${failureMessages[0]?.split("\n")[0]}`);
  if (failed.length === 0) console.log(`held ${where}: ${tests.length} of ${tests.length}`);
}
rmSync(folder, { recursive: true });
