import { isAscii } from "node:buffer";
import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findBundle } from "../../../scripts/bundle/find-bundle.mjs";
import { servingOptions } from "../../../scripts/serving-options.mjs";
import { readExcerpt } from "../../../src/hub/tokens/prompt-excerpt.ts";
import { TaskThread } from "../../../src/lib/tasks/task-thread.ts";
import { untilServing } from "../../support/banner.ts";
import type { CliResult, RunningCli } from "../../support/run-cli.ts";

const PROJECT = join(import.meta.dirname, "..", "..", "..");
const BUILDING = "Building the server; this happens once for each version and takes a few seconds.\n";

/** Each test builds once or twice. */
const TIMEOUT_MS = 300_000;

let folder: string;
/** Has each process tell which program it runs. */
let tell: string;
/** A copy of the project, so that its sources can be changed. */
let root: string;
let servers: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-bundle-"));
  root = join(folder, "project");
  servers = join(root, "dist", "server");
  tell = `--import ${join(folder, "tell.mjs")}`;
  writeFileSync(
    join(folder, "tell.mjs"),
    'process.stderr.write(["runs", process.argv[1], ...process.execArgv].join(" ") + "\\n");',
  );
  for (const part of ["src", "gen", "scripts", "package.json", "tsconfig.json"]) {
    cpSync(join(PROJECT, part), join(root, part), { recursive: true });
  }
  symlinkSync(join(PROJECT, "node_modules"), join(root, "node_modules"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the program of `npm start` and of `npx attune`. */
function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningCli {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [join(root, "scripts", "attune.mjs"), ...args], {
    cwd: folder,
    env: { PATH, HOME: join(folder, "home"), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  const result = new Promise<CliResult>((resolve) => child.once("close", (status) => resolve({ status, ...texts })));
  return { process: child, printed: () => texts.stdout, complained: () => texts.stderr, result };
}

const help = (environment = {}): Promise<CliResult> => start(["--help"], environment).result;

function bundle(): string {
  const found = findBundle(root);
  if (found === undefined) throw new Error("there is no bundle");
  return found;
}

function change(file: string, from: string, to: string): void {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

it("builds once where two start at the same time, and leaves nothing half", { timeout: TIMEOUT_MS }, async () => {
  const results = await Promise.all([help(), help()]);
  expect(results.map(({ status, stderr }) => [status, stderr])).toEqual([
    [0, BUILDING],
    [0, BUILDING],
  ]);
  expect(results[0]?.stdout).toContain("LLM inference and feedback service");
  expect(results[1]?.stdout).toBe(results[0]?.stdout);
  expect(readdirSync(servers).filter((name) => name.startsWith("."))).toEqual([]);

  const { stderr } = await help({ NODE_OPTIONS: tell });
  expect(stderr).toBe(`runs ${join(root, "scripts", "attune.mjs")}\nruns ${join(bundle(), "cli.js")}\n`);
});

it("can be read by any user, whatever the umask of its builder", { timeout: TIMEOUT_MS }, async () => {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const command = 'umask 077 && exec "$0" scripts/attune.mjs build';
  const child = spawn("sh", ["-c", command, process.execPath], { cwd: root, stdio: "ignore" });
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
  const entries = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
    // Node's own, of which each user has one.
    .filter((name) => !name.includes("compile-cache"));
  const modes = entries.map((name) => {
    const entry = statSync(join(root, "dist", name));
    return `${entry.isDirectory() ? "folder" : "file"} ${(entry.mode & 0o777).toString(8)}`;
  });
  expect(entries.some((name) => name.startsWith(join("server", "")))).toBe(true);
  expect(entries.some((name) => name.startsWith(join("dashboard", "")))).toBe(true);
  expect([...new Set(modes)].toSorted()).toEqual(["file 644", "folder 755"]);
});

it("is of ASCII, which V8 keeps with one byte for each character", { timeout: TIMEOUT_MS }, async () => {
  await help();
  const path = bundle();
  const modules = readdirSync(path).filter((name) => name.endsWith(".js"));
  expect(modules.length).toBeGreaterThan(10);
  expect(modules.filter((name) => !isAscii(readFileSync(join(path, name))))).toEqual([]);
});

it("serves from the bundle, with all threads", { timeout: TIMEOUT_MS }, async () => {
  const database = join(folder, "data", "attune.db");
  const service = start(["serve", "--log-level", "error", "--print-secrets"], {
    ATTUNE_PORT: "0",
    ATTUNE_ADMIN_PORT: "0",
    ATTUNE_DATABASE_URL: `sqlite:${database}`,
    NODE_OPTIONS: tell,
  });
  const { url, adminUrl, key } = await untilServing(service);
  if (process.platform === "linux") {
    // What was started has become what serves.
    const program = readFileSync(`/proc/${service.process.pid}/cmdline`, "utf8").split("\0");
    expect(program.some((part) => part.startsWith(servers) && part.endsWith("cli.js"))).toBe(true);
  }
  const ask = async (path: string, body: object) => {
    const answer = await fetch(url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.text() };
  };
  const schema = { type: "object", properties: { n: { type: "integer", const: 7 } }, required: ["n"] };
  const messages = [{ role: "user", content: "Hello" }];
  // The thread of schemas.
  const structured = await ask("/v1/chat/completions", {
    model: "attune/gpt-6-astra",
    messages,
    response_format: { type: "json_schema", json_schema: { name: "seven", schema } },
  });
  expect(JSON.parse(structured.body).choices[0].message.content).toBe('{"n":7}');
  const streamed = await ask("/v1/responses", { model: "attune/claude-haiku-5-5", input: "Hello", stream: true });
  expect(streamed.body).toContain("event: response.completed");
  // The thread that writes records.
  await expect
    .poll(async () => await (await fetch(`${adminUrl}/metrics`)).text())
    .toMatch(/^attune_recorder_written_total 2$/m);

  // Those that only a model without a count of its own needs, and only who is signed in to the dashboard.
  const createError = (why: string, options?: ErrorOptions) => new Error(why, options);
  const deaths: unknown[] = [];
  const threadOf = (name: string, workerData?: unknown) =>
    new TaskThread({
      module: pathToFileURL(join(bundle(), `${name}.js`)),
      workerData,
      createError,
      onDeath: (error) => deaths.push(error),
    });
  const reads = threadOf("read-worker", { databaseUrl: `sqlite:${database}`, namesPerProject: 200 });
  const contents = threadOf("content-worker");
  const counts = threadOf("count-worker");
  const rows = await reads.run("readBodySizes", [[]], { limitMs: 20_000 });
  const nothing = { request: new Uint8Array(), response: new Uint8Array() };
  const text = await contents.run("raw", [nothing, { side: "request", from: 0, length: 1 }], { limitMs: 20_000 });
  const tokens = await counts.run("count", [readExcerpt(["Hello world"])], { limitMs: 20_000 });
  expect(tokens).toBe(2);
  expect([rows, text, deaths]).toEqual([expect.anything(), { text: "{", length: expect.any(Number) }, []]);
  await Promise.all([reads.close(), contents.close(), counts.close()]);

  service.process.kill("SIGTERM");
  const { status, stderr } = await service.result;
  expect(status).toBe(0);
  expect(stderr).toContain(`runs ${join(bundle(), "cli.js")} ${servingOptions({}).flags.join(" ")}\n`);
});

it("uses no bundle that lacks something, and builds another", { timeout: TIMEOUT_MS }, async () => {
  const broken = bundle();
  truncateSync(join(broken, "cli.js"), 100);
  expect((await help()).stderr).toBe(BUILDING);
  const half = bundle();
  expect(half).not.toBe(broken);
  rmSync(join(half, "manifest.json"));
  expect((await help()).stderr).toBe(BUILDING);
  expect((await help()).stderr).toBe("");
});

it("builds again where a source has changed, looks at the versions of packages, and names the sources in stack traces", {
  timeout: TIMEOUT_MS,
}, async () => {
  const before = bundle();
  change(
    "src/cli/commands/keys.ts",
    "tag = {}, ...options }) {\n",
    "tag = {}, ...options }) {\n  if (Date.now() > 0) throw new Error('made to fail');\n",
  );
  const { status, stderr } = await start(["keys", "create", "--name", "one"], { NODE_DEBUG: "attune" }).result;
  expect(status).toBe(1);
  const lines = readFileSync(join(root, "src/cli/commands/keys.ts"), "utf8").split("\n");
  const place = `${pathToFileURL(join(root, "src/cli/commands/keys.ts")).href}:${lines.findIndex((line) => line.includes("made to fail")) + 1}`;
  expect(stderr.startsWith(BUILDING)).toBe(true);
  expect(stderr).toContain(`run (${place})\n`);
  expect(stderr).toMatch(
    /Error: made to fail\n {4}at (?:Object\.)?run \(.*\n(?: {4}at .*\n)* {4}at (?:async )?Command\.<anonymous> \(file:/,
  );
  expect(bundle()).not.toBe(before);

  const manifest = JSON.parse(readFileSync(join(bundle(), "manifest.json"), "utf8"));
  expect(manifest.inputs.filter((name: string) => name.endsWith("node_modules/fastify/package.json"))).toHaveLength(1);
});

it("builds again where a constant has changed that stands in the bundle where it is used", {
  timeout: TIMEOUT_MS,
}, async () => {
  await help();
  change("src/hub/feedback-levels.ts", "= 32", "= 33");
  expect((await help()).stderr).toBe(BUILDING);
});

it("keeps no bundle of sources that were changed while it was made", { timeout: TIMEOUT_MS }, async () => {
  change("src/cli/program.ts", "feedback service", "feedback service, first");
  const first = start(["--help"]);
  await expect
    .poll(() => readdirSync(servers).filter((name) => name.startsWith(".")), { timeout: 60_000, interval: 5 })
    .not.toEqual([]);
  await delay(500);
  change("src/cli/program.ts", "feedback service, first", "feedback service, second");
  await first.result;
  expect((await help()).stdout).toContain("feedback service, second");
});

it("builds into the user's cache where the project cannot be written to, and runs the sources where nothing can be", {
  timeout: TIMEOUT_MS,
}, async () => {
  rmSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, "dist"), "");
  mkdirSync(join(folder, "cache"));
  const cached = { XDG_CACHE_HOME: join(folder, "cache"), NODE_OPTIONS: tell };
  expect((await help(cached)).stderr).toContain(BUILDING);
  const { stderr } = await help(cached);
  expect(stderr).toContain(`runs ${join(folder, "cache", "attune", "server")}`);
  expect(stderr).not.toContain("Building");

  renameSync(join(folder, "cache"), join(folder, "elsewhere"));
  writeFileSync(join(folder, "cache"), "");
  const { status, stdout, stderr: complaint } = await help(cached);
  expect([status, stdout]).toEqual([0, expect.stringContaining("LLM inference and feedback service")]);
  expect(complaint).toContain("The server could not be built, and runs from its sources, which start more slowly: ");
  expect(complaint).toContain(`runs ${join(root, "src", "cli.ts")}\n`);
});
