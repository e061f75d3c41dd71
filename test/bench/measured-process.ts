import { type ChildProcess, fork } from "node:child_process";
import { servingOptions } from "../../scripts/serving-options.mjs";
import { isWorkStep, type Work, WorkCounter, type WorkStep } from "./work-counter.ts";

/** CPU and memory of a process at one moment. */
export interface Reading {
  readonly cpuMicros: number;
  /** Of that the part of the thread that serves; absent in a checkout that does not tell. */
  readonly mainCpuMicros?: number;
  readonly rssBytes: number;
  /**
   * What garbage collections have moved to the old objects of the main thread, where the process runs with
   * TRACE_GARBAGE.
   */
  readonly promotedBytes?: number;
  /** By how much timers were late since the last reading, where a process watches that. */
  readonly loopDelay?: LoopDelay;
}

/** How long the event loop was held up. */
export interface LoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** How a gateway of somebody else is asked for the bench's model. */
export interface GatewayRoute {
  /** What its paths begin with. */
  readonly path: string;
  readonly model: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A process of the bench: it listens, and tells what it has used. */
export interface MeasuredProcess {
  readonly url: string;
  /** API key to call it with; empty where none is needed. */
  readonly key: string;
  /** How it is asked, where it is the gateway of somebody else. */
  readonly gateway?: GatewayRoute;
  /** Its process id; absent where it is several processes. */
  readonly pid?: number | undefined;
  read(): Promise<Reading>;
  /** Takes a step of counting what its main thread runs. */
  countWork?(step: WorkStep): Promise<Work>;
  stop(): Promise<void>;
}

/** Flag of a process whose collections are told of. */
export const TRACE_GARBAGE = "--trace-gc-nvp";

/** Sums up what the collections of a process's main thread promote, as its standard output tells. */
function sumPromoted(child: ChildProcess): () => number {
  let [promoted, rest] = [0, ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    // [pid:isolate:number of the thread] ... promoted=282344 ...
    for (const line of lines) {
      if (/^\[\d+:0x[0-9a-f]+:0\]/.test(line)) promoted += Number(/ promoted=(\d+)/.exec(line)?.[1] ?? 0);
    }
  });
  return () => promoted;
}

/** Starts a module of this folder in a process of its own; resolves when it says where it listens. */
export async function startMeasured(
  module: string,
  environment: NodeJS.ProcessEnv = {},
  flags: readonly string[] = [],
): Promise<MeasuredProcess> {
  const isTraced = flags.includes(TRACE_GARBAGE);
  const child = fork(new URL(module, import.meta.url), {
    env: { ...process.env, ...environment },
    execArgv: [...process.execArgv, ...flags],
    stdio: ["ignore", isTraced ? "pipe" : "ignore", "inherit", "ipc"],
  });
  const promotedBytes = sumPromoted(child);
  const { url, key } = await ask<{ url: string; key: string }>(child);
  const send = <T>(message: string): Promise<T> => {
    const answer = ask<T>(child);
    child.send(message);
    return answer;
  };
  return {
    url,
    key,
    pid: child.pid,
    read: () =>
      send<Reading>("read").then((reading) => ({ ...reading, ...(isTraced && { promotedBytes: promotedBytes() }) })),
    countWork: (step) => send<Work>(step),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}

/** Starts a module that serves as `attune serve` does, with its flags. */
export function startServing(
  module: string,
  environment: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
): Promise<MeasuredProcess> {
  const serving = servingOptions(process.env);
  return startMeasured(module, { ...serving.environment, ...environment }, [...serving.flags, ...flags]);
}

function ask<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void => reject(new Error(`a process of the bench ended with ${code}`));
    child.once("exit", fail);
    child.once("message", (message) => {
      child.off("exit", fail);
      resolve(message as T);
    });
  });
}

/** What a measured process does: says where it listens, and answers each question with a reading. */
export function answerReadings(url: string, key = "", more: () => Partial<Reading> = () => ({})): void {
  // A bench that is killed leaves nobody behind who works beside the next one.
  process.on("disconnect", () => process.exit());
  const counter = new WorkCounter();
  process.on("message", (message) => {
    if (isWorkStep(message)) return void process.send?.(counter[message]());
    const { user, system } = process.cpuUsage();
    const main = process.threadCpuUsage();
    const mainCpuMicros = main.user + main.system;
    const reading: Reading = {
      cpuMicros: user + system,
      mainCpuMicros,
      rssBytes: process.memoryUsage.rss(),
      ...more(),
    };
    process.send?.(reading);
  });
  process.send?.({ url, key });
}
