import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testBundle, testedProgram } from "../../test/support/tested-program.ts";
import { type Block, runnableBlocks } from "./blocks.ts";
import { writtenPages } from "./pages.ts";
import { createReader, type Reader } from "./reader.ts";
import type { Outcome } from "./step.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Made by `npm run test:python`, with the SDKs. */
const PYTHON = join(ROOT, "node_modules", ".cache", "attune-python", "bin", "python");
const LIMIT_MS = 300_000;
/** The argument of programs: the application of the tutorial asks so many questions. */
const QUESTIONS = "200";

/** The commands of the pages, as a reader has them, and curl that fails where the service refuses. */
const COMMANDS = `
curl() { command curl --silent --show-error $FAIL --max-time 100 "$@"; }
attune() { "$NODE" "$CLI" "$@" </dev/null; }
npm() { [ "$1 $2 $3 $4" = "run -s attune --" ] || { command npm "$@"; return; }; shift 4; attune "$@"; }
`;

interface RunOptions {
  /** Chooses blocks; all of them if absent. */
  readonly isRun?: (block: Block) => boolean;
  /** Is told what becomes of each block. */
  readonly report?: (line: string) => void;
}

/** Runs the code of the pages as their readers would, at services of the sandbox. Finds the blocks that fail. */
export async function runBlocks({ isRun = () => true, report }: RunOptions = {}): Promise<Outcome> {
  const pages = writtenPages().map(({ path, markdown }) => ({
    markdown,
    blocks: runnableBlocks(path, markdown).filter(isRun),
  }));
  const total = pages.reduce((sum, { blocks }) => sum + blocks.length, 0);
  const outcomes: string[] = [];
  testBundle();
  for (const { markdown, blocks } of pages) {
    const reader = blocks.some(({ reason }) => reason === undefined) ? await createReader(markdown) : undefined;
    for (const block of blocks) {
      const isLeft = reader === undefined || block.reason !== undefined;
      const outcome = `${block.at}: ${isLeft ? `not run: ${block.reason}` : await run(block, reader)}`;
      outcomes.push(outcome);
      report?.(`[${outcomes.length}/${total}] ${outcome}`);
    }
    await reader?.close();
  }
  const works = outcomes.filter((outcome) => outcome.endsWith(": works")).length;
  const findings = outcomes.filter((outcome) => / fails with /.test(outcome));
  const left = total - works - findings.length;
  return { looked: `${total} blocks, ${left} of them not run`, findings };
}

/** Runs a block; returns "works", or why it was left out, or what it printed where it failed. */
async function run({ language, code }: Block, reader: Reader): Promise<string> {
  const text = reader.fill(code);
  if (language === "sh") {
    // A call with -i shows an error on purpose.
    const FAIL = /^curl -i /m.test(code) ? "" : "--fail-with-body";
    return await execute("bash", ["-e", "-o", "pipefail", "-c", `${COMMANDS}${text}`], { ...reader, more: { FAIL } });
  }
  if (language === "python") {
    if (!existsSync(PYTHON)) return "left out: npm run test:python installs what it needs";
    return await execute(PYTHON, ["-c", text, QUESTIONS], { ...reader, more: {} });
  }
  const file = join(reader.folder, language === "ts" ? "block.mts" : "block.mjs");
  writeFileSync(file, text);
  return await execute(process.execPath, [file, QUESTIONS], { ...reader, more: {} });
}

interface Surroundings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly more: Readonly<Record<string, string>>;
}

async function execute(command: string, args: string[], { folder, environment, more }: Surroundings): Promise<string> {
  const env = { ...process.env, NODE: process.execPath, CLI: testedProgram(), ...environment, ...more };
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], timeout: LIMIT_MS });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [status] = await once(child, "close");
  return status === 0 ? "works" : `fails with ${status}\n${output}`;
}
