import { Session } from "node:inspector";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** How often a function was called. */
export interface FunctionCalls {
  readonly room: string;
  /** File, name and place: the same in every reading of a process. */
  readonly id: string;
  readonly calls: number;
}

/** What the main thread of a process has run and allocated. */
export interface Work {
  readonly functions: readonly FunctionCalls[];
  /** V8's sampled allocations, scaled by V8; they move by some 5% from run to run. */
  readonly allocatedBytes: number;
}

const WORK_STEPS = ["begin", "take", "sample", "end"] as const;

/** A step of counting: the calls from begin to take, then the allocations from sample to end. */
export type WorkStep = (typeof WORK_STEPS)[number];

/** Tells whether a message names a step. */
export function isWorkStep(message: unknown): message is WorkStep {
  return WORK_STEPS.some((step) => step === message);
}

interface SamplingNode {
  readonly selfSize: number;
  readonly children: readonly SamplingNode[];
}

const NOTHING: Work = { functions: [], allocatedBytes: 0 };
const SAMPLING_BYTES = 1024;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Counts calls of functions and allocations of this thread by its own inspector; natives are not counted. */
export class WorkCounter {
  readonly #session = new Session();

  /** Begins to count calls; code runs more slowly from then on. */
  begin(): Work {
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    return NOTHING;
  }

  /** Returns what has run since the last reading, and begins the next one. */
  take(): Work {
    const { result } = this.#post<{ result: readonly CoveredScript[] }>("Profiler.takePreciseCoverage");
    return { ...NOTHING, functions: result.flatMap(readScript) };
  }

  /** Counts allocations in place of calls, so that code is compiled as ever. */
  sample(): Work {
    this.#post("Profiler.stopPreciseCoverage");
    this.#post("Profiler.disable");
    const all = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
    this.#post("HeapProfiler.startSampling", { samplingInterval: SAMPLING_BYTES, ...all });
    return NOTHING;
  }

  /** Returns what has been allocated since then, and stops counting. */
  end(): Work {
    const { profile } = this.#post<{ profile: { head: SamplingNode } }>("HeapProfiler.stopSampling");
    this.#session.disconnect();
    return { ...NOTHING, allocatedBytes: sumOf(profile.head) };
  }

  /** Asks the inspector, which answers at once within its own thread. */
  #post<T>(method: string, parameters: object = {}): T {
    let answer: { result: unknown } | undefined;
    this.#session.post(method, parameters, (error, result) => {
      if (error !== null) throw error;
      answer = { result };
    });
    if (answer === undefined) throw new Error(`the inspector has not answered ${method}`);
    return answer.result as T;
  }
}

interface CoveredScript {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

function readScript({ url, functions }: CoveredScript): FunctionCalls[] {
  const room = roomOf(url);
  return functions.flatMap(({ functionName, ranges: [range] }) =>
    range === undefined || range.count === 0
      ? []
      : [{ room, id: `${url} ${functionName}:${range.startOffset}`, calls: range.count }],
  );
}

/** Returns the room of src that a script lies in, its package, or node. */
function roomOf(url: string): string {
  if (!url.startsWith("file:")) return url.startsWith("node:") ? "node" : "other";
  const parts = relative(ROOT, fileURLToPath(url)).split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at >= 0) return parts.slice(at + 1, at + (parts[at + 1]?.startsWith("@") ? 3 : 2)).join("/");
  return parts[0] === "src" ? parts.slice(1, -1).slice(0, 2).join("/") || "src" : (parts[0] ?? "other");
}

function sumOf(node: SamplingNode): number {
  return node.children.reduce((sum, child) => sum + sumOf(child), node.selfSize);
}
