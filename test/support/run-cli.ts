import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { testedProgram } from "./tested-program.ts";

/** What a command left. */
export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface RunningCli {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** What it has printed so far. */
  readonly printed: () => string;
  /** What it has written to standard error so far. */
  readonly complained: () => string;
  /** Resolves once it has ended. */
  readonly result: Promise<CliResult>;
}

/** A folder of its own for commands, in which nothing is configured. */
export interface CliFolder {
  readonly path: string;
  /** Runs `attune ARGS` there, to its end. */
  run(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<CliResult>;
  /**
   * Starts `attune ARGS` there; `under` is a command that is given the whole command as its last arguments, and becomes
   * it.
   */
  start(args: readonly string[], environment?: Readonly<Record<string, string>>, under?: readonly string[]): RunningCli;
  /** Ends what still runs there, and deletes it. */
  remove(): Promise<void>;
}

/** Makes a folder for commands of a program, which run as child processes with the Node of the tests. */
export function createCliFolder(program = testedProgram()): CliFolder {
  const path = mkdtempSync(join(tmpdir(), "attune-cli-"));
  const started: RunningCli[] = [];
  const start: CliFolder["start"] = (args, environment = {}, under = []) => {
    const cli = startCli(path, [...under, process.execPath, program, ...args], environment);
    started.push(cli);
    return cli;
  };
  return {
    path,
    start,
    run: (args, environment) => start(args, environment).result,
    async remove() {
      for (const cli of started) cli.process.kill("SIGKILL");
      await Promise.all(started.map(({ result }) => result));
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function startCli(cwd: string, command: readonly string[], environment: Readonly<Record<string, string>>): RunningCli {
  // Nothing else of this process's environment: it may configure Attune.
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: cwd, ...environment };
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const result = new Promise<CliResult>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, stdout, stderr }));
  });
  return { process: child, printed: () => stdout, complained: () => stderr, result };
}
