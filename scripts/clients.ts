/**
 * `npm run test:clients`: the examples of clients/, each by its own run.sh against one service: generated from the
 * protos or from docs/openapi.json, compiled and run. Names those whose toolchain is not here, whose dependencies
 * cannot be fetched, and whose compilation takes more patience than there is: these say nothing of the example.
 */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { readOptions } from "../test/support/read-options.ts";
import { startTestService } from "../test/support/service.ts";

/** The toolchains that each client needs beside what it installs itself. */
const TOOLCHAINS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  typescript: [["npm", "--version"]],
  python: [["python3", "-m", "venv", "--help"]],
  go: [["go", "version"]],
  java: [
    ["javac", "--version"],
    ["mvn", "--version"],
  ],
  "openapi/go": [["go", "version"]],
  "openapi/java": [
    ["python3", "-m", "venv", "--help"],
    ["javac", "--version"],
    ["mvn", "--version"],
  ],
  "openapi/python": [
    ["python3", "-m", "venv", "--help"],
    ["java", "-version"],
  ],
  "openapi/python-client": [["python3", "-m", "venv", "--help"]],
};

/** The first download and compilation of gRPC for Go takes minutes. */
const PATIENCE_SECONDS = 1200;
/** The time limit of an example after its first output. */
const RUN_MS = 60_000;

const EXPECTED_FIRST = [
  /^models: [1-9]\d*, the first is attune\/\S+$/,
  /^generate: [1-9]\d* tokens, [1-9]\d* characters$/,
];
/** The output of every example that is generated from the protos. */
const EXPECTED = [...EXPECTED_FIRST, /^stream: canceled$/, /^feedback: [0-9a-f-]{36}$/];
/**
 * The output of every example that is generated from docs/openapi.json. It sends a boolean, a number, a text, a score
 * with its reason, a group and null, of which the last one stores nothing. The generator for
 * Java has no way to write a group, so that its client sends three values that are stored.
 */
const EXPECTED_OF_OPENAPI = [
  ...EXPECTED_FIRST,
  /^stream: [1-9]\d* chunks$/,
  /^feedback: [35] values$/,
  /^error: model_not_found$/,
];
/** The further output of single examples. Learning takes its time, so it may be empty. */
const EXPECTED_MORE: Readonly<Record<string, readonly RegExp[]>> = {
  typescript: [/^workloads: (nothing was learned yet|attune\/\S+ \(\d+ rewards\).*)$/],
};

const USAGE = `usage: npm run test:clients -- [--only LANGUAGE] [--patience ${PATIENCE_SECONDS}] [--within SECONDS]

  --only LANGUAGE    ${Object.keys(TOOLCHAINS).join(", ")}; several times for several
  --patience SECONDS the longest wait for what an example downloads and compiles
  --within SECONDS   the longest wait of all examples together; what has not begun by then is not run`;

interface Outcome {
  readonly status: number | null;
  readonly lines: readonly string[];
}

/** Runs a script with all that it starts, and ends all of it when the time is over. */
function runScript(script: string, args: readonly string[], { environment, limitMs }: RunOptions): Promise<Outcome> {
  const child = spawn("bash", [script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
    detached: true,
  });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  let timer = setTimeout(end, limitMs);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    clearTimeout(timer);
    timer = setTimeout(end, RUN_MS);
    text += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve({ status, lines: linesOf(text) });
    });
  });
}

interface RunOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Until the first word. */
  readonly limitMs: number;
}

/** Maven sets colours back where it has set none. */
function linesOf(text: string): string[] {
  const lines = stripVTControlCharacters(text).split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

const { patience, within, only } = readOptions(USAGE, {
  patience: { type: "string", default: String(PATIENCE_SECONDS) },
  within: { type: "string", default: "Infinity" },
  only: { type: "string", multiple: true, default: Object.keys(TOOLCHAINS) },
});
const until = performance.now() + Number(within) * 1000;
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
for (const language of only) {
  const toolchain = TOOLCHAINS[language];
  if (toolchain === undefined) throw new Error(`no example in '${language}': ${Object.keys(TOOLCHAINS).join(", ")}`);
  const missing = toolchain.find(([command = "", ...args]) => spawnSync(command, args).status !== 0);
  if (missing !== undefined) {
    console.log(`${language}: not run, there is no ${missing[0]} here`);
    continue;
  }
  const begin = performance.now();
  const patienceMs = Math.min(Number(patience) * 1000, until - begin);
  if (patienceMs <= 0) {
    console.log(`${language}: not run, the ${within} s of all are over`);
    continue;
  }
  const script = join("clients", language, "run.sh");
  const fetched = await runScript(script, ["fetch"], { environment, limitMs: patienceMs });
  if (fetched.status !== 0) {
    console.log(`${language}: not run, its dependencies were not fetched within ${Math.ceil(patienceMs / 1000)} s`);
    continue;
  }
  const limitMs = Math.max(1, patienceMs - (performance.now() - begin));
  const { status, lines } = await runScript(script, [], { environment, limitMs });
  if (status === null && lines.length === 0) {
    console.log(`${language}: not run, it was not compiled within ${Math.ceil(patienceMs / 1000)} s`);
    continue;
  }
  const every = language.startsWith("openapi/") ? EXPECTED_OF_OPENAPI : EXPECTED;
  const expected = [...every, ...(EXPECTED_MORE[language] ?? [])];
  const isRight =
    status === 0 && lines.length === expected.length && expected.every((line, at) => line.test(lines[at] ?? ""));
  if (!isRight) failures += 1;
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  console.log(`${language}: ${isRight ? "ran" : `FAILED with status ${status}`} (${seconds} s)`);
  for (const line of lines) console.log(`  ${line}`);
}
await service.close();
process.exit(failures === 0 ? 0 : 1);
