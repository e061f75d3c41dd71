/**
 * `npm run test:clients [-- LANGUAGE ...]`: the examples of clients/, each by its own run.sh against one service: generated from the protos,
 * compiled and run. Names those whose toolchain is not here.
 */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startTestService } from "../test/support/service.ts";

/** What each needs beside what it installs itself. */
const TOOLCHAINS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  typescript: [["npm", "--version"]],
  python: [["python3", "-m", "venv", "--help"]],
  go: [["go", "version"]],
  java: [
    ["javac", "--version"],
    ["mvn", "--version"],
  ],
};

/** The first download and compilation of gRPC for Go takes minutes. */
const TIMEOUT_MS = 20 * 60_000;

/** What an example prints, whatever its language. */
const EXPECTED = [
  /^models: [1-9]\d*, the first is attune\/\S+$/,
  /^generate: [1-9]\d* tokens, [1-9]\d* characters$/,
  /^stream: canceled$/,
  /^feedback: [0-9a-f-]{36}$/,
];

interface Outcome {
  readonly status: number | null;
  readonly lines: readonly string[];
}

function runExample(language: string, environment: Readonly<Record<string, string>>): Promise<Outcome> {
  const child = spawn("bash", [join("clients", language, "run.sh")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
    timeout: TIMEOUT_MS,
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (status) => resolve({ status, lines: linesOf(text) }));
  });
}

/** Maven sets colours back where it has set none. */
function linesOf(text: string): string[] {
  const lines = stripVTControlCharacters(text).split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(TOOLCHAINS);
const service = await startTestService();
const listing = await fetch(`${service.url}/v1/models`, { headers: service.headers });
const { data } = (await listing.json()) as { data: { id: string }[] };
const environment = {
  ATTUNE_URL: service.url,
  ATTUNE_KEY: service.key,
  // Slow, so that a stream is still running when its reader leaves.
  ATTUNE_MODEL: `${data[0]?.id}:sandbox-slow=50`,
  BUF: join(process.cwd(), "node_modules/.bin/buf"),
};
let failures = 0;
for (const language of wanted) {
  const toolchain = TOOLCHAINS[language];
  if (toolchain === undefined) throw new Error(`no example in '${language}': ${Object.keys(TOOLCHAINS).join(", ")}`);
  const missing = toolchain.find(([command = "", ...args]) => spawnSync(command, args).status !== 0);
  if (missing !== undefined) {
    console.log(`${language}: not run, there is no ${missing[0]} here`);
    continue;
  }
  const begin = performance.now();
  const { status, lines } = await runExample(language, environment);
  const isRight =
    status === 0 && lines.length === EXPECTED.length && EXPECTED.every((line, at) => line.test(lines[at] ?? ""));
  if (!isRight) failures += 1;
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  console.log(`${language}: ${isRight ? "ran" : `FAILED with status ${status}`} (${seconds} s)`);
  for (const line of lines) console.log(`  ${line}`);
}
await service.close();
process.exit(failures === 0 ? 0 : 1);
