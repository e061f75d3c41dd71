import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCliFolder, type RunningCli } from "../support/run-cli.ts";
import { waitUntil } from "../support/wait.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = readFileSync(join(ROOT, "docs", "tutorial.md"), "utf8");

const cli = createCliFolder(join(ROOT, "scripts", "demo.ts"));
const folder = mkdtempSync(join(tmpdir(), "attune-tutorial-"));
let demo: RunningCli;
let environment: Record<string, string>;

beforeAll(async () => {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  demo = cli.start(["--serve"]);
  await waitUntil(() => demo.printed().includes("stays up"));
  const [, url = "", key = ""] = /address +(\S+)\nkey +(\S+)/.exec(demo.printed()) ?? [];
  environment = { ATTUNE_URL: `${url}/v1`, ATTUNE_KEY: key };
}, 90_000);

afterAll(async () => {
  demo.process.kill("SIGINT");
  await demo.result;
  await cli.remove();
  rmSync(folder, { recursive: true });
});

/** The first code block of a language on the page. */
function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1];
  if (found === undefined) throw new Error(`the page has no block of ${language}`);
  return found;
}

it("has an application that runs as it stands", { timeout: 120_000 }, async () => {
  writeFileSync(join(folder, "app.mjs"), block("js"));
  const app = spawn(process.execPath, ["app.mjs", "200"], { cwd: folder, env: { ...process.env, ...environment } });
  let output = "";
  for (const stream of [app.stdout, app.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [status] = await once(app, "close");
  expect(output).toMatch(/^questions 1 to 100: \d+ right\nquestions 101 to 200: \d+ right\n$/);
  expect(status).toBe(0);
});

it("has the same application in Python", () => {
  const names = (code: string): string[] => [...new Set(code.match(/attune\/\w+|\/feedback|helpful|right answer/g))];
  expect(names(block("python")).sort()).toEqual(names(block("js")).sort());
});
