import { type ChildProcess, execFileSync, type StdioOptions, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { ServerName } from "../../src/catalog/server-facts.ts";

/** The formats, and the kinds of upstreams that speak them. */
export const ROUTES = { chat: "openai-chat", responses: "openai-responses", messages: "anthropic-messages" } as const;

/** A format, or a route of a server in that format. */
export type Route = keyof typeof ROUTES;

/** Prompts that the server's model answers in a known way. */
export interface Prompts {
  /** Answered with "Hi there!". */
  readonly greet: string;
  /** Answered without end; absent: the server has no such answer. */
  readonly endless?: string;
  /** Answered with a call of the tool `look`. */
  readonly call: string;
  /** Answered with an object that has `ok`, where one is asked for by a schema. */
  readonly object: string;
  /** Answered with the thought "Hm." and then with "Hi there!". */
  readonly think?: string;
  /** Answered with "<". */
  readonly less?: string;
  /** Answered with "Hi there!" if it comes with a picture. */
  readonly picture?: string;
  /** True if the server does not look at the name of the model. */
  readonly answersForAnyModel?: true;
  /** True if the model takes pictures, or the server does not say that it cannot. */
  readonly hasEyes?: true;
}

/** The prompts of the model that `tiny-model.py` writes. */
export const TINY_PROMPTS: Prompts = {
  greet: "Greet me>",
  endless: "Count~",
  call: "Look it up^",
  object: "Greet me>",
  think: "Think%",
  less: "Less=",
};

/** A program and what it has started. */
export interface Program {
  /** Its process id; it may have started more. */
  readonly pid: number;
  stop(): void;
  /** Kills it at once, and returns when it has gone. */
  crash(): Promise<void>;
  /** Starts it again as it was, and doesn't wait until it answers. */
  revive(): void;
}

/** A server that answers. A gateway is not killed itself, but the server behind it. */
export interface Running extends Partial<Omit<Program, "stop" | "pid">> {
  /** Base addresses by route. */
  readonly routes: Partial<Record<Route, string>>;
  /** The server's name of the model; `tiny` if absent. */
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if nothing is being answered; absent: it can't be asked. */
  readonly isIdle?: () => Promise<boolean>;
  /** Name of a model that makes embeddings, on the route of Chat. */
  readonly embedder?: string;
  /** True if it makes embeddings and nothing else. */
  readonly embedsAlone?: true;
  /** True if its route of Messages counts tokens. */
  readonly countsTokens?: true;
  stop(): void;
}

/** A gateway that hands calls of Chat on to a server of models. */
export interface Gateway {
  readonly program: Program;
  /** Base address of its Chat. */
  readonly url: string;
  /** What it calls the model behind it. */
  readonly model: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server of outside, pinned, as a registry has it. */
export interface TestedServer {
  readonly name: string;
  /** Package and version. */
  readonly version: string;
  readonly profile: ServerName;
  readonly prompts: Prompts;
  /** Most tokens that a prompt may have there; absent: it has no limit. */
  readonly window?: number;
  /** Installs it into a folder and starts it. */
  start(folder: string): Promise<Running>;
}

/** Installs packages of npm into a folder. */
export function installNpm(folder: string, ...packages: string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], { cwd: folder });
}

/**
 * Installs packages of PyPI into an environment of a folder, with `overrides` of versions that they ask for; returns the
 * folder of its programs. With COMPAT_CACHE the environment is made there once and used again.
 */
export function installPython(folder: string, packages: readonly string[], overrides: readonly string[] = []): string {
  const { COMPAT_CACHE: cache, COMPAT_PYTHON: python = "python3" } = process.env;
  const digest = createHash("sha256")
    .update([...packages, ...overrides].join("\n"))
    .digest("hex");
  const environment = cache === undefined ? folder : join(cache, digest.slice(0, 16));
  const bin = join(environment, "bin");
  const isDone = join(environment, "done");
  if (existsSync(isDone)) return bin;
  execFileSync(python, ["-m", "venv", environment]);
  execFileSync(join(bin, "pip"), ["install", "--quiet", "uv==0.13.9"]);
  const overriding = join(environment, "overrides.txt");
  writeFileSync(overriding, overrides.join("\n"));
  const install = ["pip", "install", "--quiet", "--python", join(bin, "python"), "--override", overriding];
  execFileSync(join(bin, "uv"), [...install, ...packages]);
  writeFileSync(isDone, "");
  return bin;
}

/** Writes the model that `tiny-model.py` makes: a file of llama.cpp, or a folder of Hugging Face's libraries. */
export function writeTinyModel(bin: string, target: string): string {
  execFileSync(join(bin, "python"), [join(import.meta.dirname, "tiny-model.py"), target]);
  return target;
}

/** Starts a program in a process group of its own; its output goes into a file of its folder. */
export function startProgram(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  mkdirSync(folder, { recursive: true });
  const output = openSync(join(folder, "output.log"), "a");
  const stdio: StdioOptions = ["ignore", output, output];
  const spawnIt = (): ChildProcess =>
    spawn(command, args, { cwd: folder, stdio, detached: true, env: { ...process.env, ...env } });
  let program = spawnIt();
  const kill = (signal: NodeJS.Signals): void => {
    if (program.pid !== undefined && program.exitCode === null && program.signalCode === null)
      process.kill(-program.pid, signal);
  };
  process.once("exit", () => kill("SIGKILL"));
  return {
    get pid() {
      return program.pid ?? 0;
    },
    stop: () => kill("SIGTERM"),
    async crash() {
      const gone = once(program, "exit");
      kill("SIGKILL");
      await gone;
    },
    revive: () => {
      program = spawnIt();
    },
  };
}

/** Waits until an address answers with success. */
export async function untilReady(url: string, seconds = 60): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(200)) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
  }
  throw new Error(`${url} did not answer within ${seconds} s`);
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns a port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
