import { setTimeout as sleep } from "node:timers/promises";
import type { Area, Input, Lane, Target } from "./area.ts";
import type { Findings } from "./findings.ts";
import { findSecrets, type Problem, problem } from "./judge.ts";
import type { StallReport } from "./monitor-messages.ts";
import { Random } from "./random.ts";

/** Processor time of the event loop's thread without a pause that is a stall. */
export const STALL_MS = 250;
/** A pause as long as this is a stall whatever the processor did: the loop may have waited for the disk. */
const IDLE_STALL_MS = 2000;
/** Inputs that ended before a stall was told and may have made it. */
const REMEMBERED = 400;
/** Stalls of an area whose inputs are sent again, one at a time and then all at once. */
const EXPLAINED_STALLS = 3;
/** Times that what is sent again has to hold the loop, in a row. */
const REPEATS = 2;
/** The same where no input does so alone: each of several at once has a turn before the loop comes by. */
const STALL_TOGETHER_MS = 2 * STALL_MS;
const SETTLE_MS = 60;

/** What is to be sent. */
export interface Plan {
  readonly area: Area;
  readonly seed: number;
  /** Number of the first input, and how many. */
  readonly first: number;
  readonly count: number;
}

/** What it took. */
export interface Outcome {
  readonly area: string;
  readonly inputs: number;
  readonly seconds: number;
  readonly cpuMsPerInput: number;
  /** Longest pause of the event loop, in processor time. */
  readonly maxStallMs: number;
}

interface Sent {
  readonly number: number;
  readonly fromMs: number;
  toMs: number;
}

/** Sends the inputs of an area over its lanes, judges each, and looks after the process meanwhile. */
export async function drive(
  plan: Plan,
  target: Target,
  findings: Findings,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const { area, first, count } = plan;
  const { service } = target;
  const begin = performance.now();
  service.stalls.splice(0);
  const before = await service.read();
  const log: Sent[] = [];
  const run = new Run(plan, target, findings);
  let next = first;
  let done = 0;
  const lanes = Array.from({ length: Math.min(area.lanes, count) }, async () => {
    let lane = area.open(target);
    while (next < first + count && service.ended() === undefined) {
      const number = next++;
      const sent: Sent = { number, fromMs: now(), toMs: Number.POSITIVE_INFINITY };
      log.push(sent);
      if (log.length > REMEMBERED) log.shift();
      if ((await run.one(lane, number)) === "late") {
        // What still comes would be taken for the answer to the next.
        lane.close();
        lane = area.open(target);
      }
      sent.toMs = now();
      if (++done % 100 === 0) {
        onProgress(done);
        run.look(log);
      }
    }
    lane.close();
  });
  await Promise.all(lanes);
  await sleep(SETTLE_MS);
  run.look(log);
  const after = service.ended() === undefined ? await service.read() : before;
  await run.explain();
  const cpuMsPerInput = (after.cpuMs - before.cpuMs) / Math.max(1, done);
  if (area.averageCpuMs !== undefined && done >= 100 && cpuMsPerInput > area.averageCpuMs) {
    findings.add({
      area: area.name,
      ...problem("processor", `${cpuMsPerInput.toFixed(1)} ms for an input on average`),
      what: `the bound is ${area.averageCpuMs} ms`,
    });
  }
  return {
    area: area.name,
    inputs: done,
    seconds: (performance.now() - begin) / 1000,
    cpuMsPerInput,
    maxStallMs: run.maxStallMs,
  };
}

/** Puts together what two parts of one area took. */
export function joinOutcomes(one: Outcome, other: Outcome): Outcome {
  const inputs = one.inputs + other.inputs;
  return {
    area: one.area,
    inputs,
    seconds: one.seconds + other.seconds,
    cpuMsPerInput: (one.cpuMsPerInput * one.inputs + other.cpuMsPerInput * other.inputs) / Math.max(1, inputs),
    maxStallMs: Math.max(one.maxStallMs, other.maxStallMs),
  };
}

const now = (): number => performance.timeOrigin + performance.now();

/** The judging of one area's inputs. */
class Run {
  maxStallMs = 0;
  readonly #plan: Plan;
  readonly #target: Target;
  readonly #findings: Findings;
  readonly #stalls: { readonly stall: StallReport; readonly suspects: readonly number[] }[] = [];
  #toldEnd = false;

  constructor(plan: Plan, target: Target, findings: Findings) {
    this.#plan = plan;
    this.#target = target;
    this.#findings = findings;
  }

  /** Sends an input and judges what comes; "late" if it is not over. */
  async one(lane: Lane, number: number): Promise<"over" | "late"> {
    const { area, seed } = this.#plan;
    const input = lane.make(new Random(seed, area.name, number), number);
    const problems = await within(area.limitMs, input);
    const found = problems === "late" ? [problem("hang", `not over after ${area.limitMs} ms`)] : problems;
    for (const each of found) this.#findings.add({ area: area.name, input: number, ...each, what: input.what() });
    return problems === "late" ? "late" : "over";
  }

  /** Takes what the process told meanwhile. */
  look(log: readonly Sent[]): void {
    const { service } = this.#target;
    const area = this.#plan.area.name;
    for (const stall of service.stalls.splice(0)) {
      this.maxStallMs = Math.max(this.maxStallMs, stall.cpuMs);
      if (!isStall(stall)) continue;
      const until = stall.fromMs + stall.wallMs;
      const suspects = log
        .filter((sent) => sent.fromMs < until && sent.toMs > stall.fromMs)
        .map(({ number }) => number);
      this.#stalls.push({ stall, suspects });
    }
    for (const line of service.logLines.splice(0)) {
      if (!isComplaint(line)) continue;
      this.#findings.add({ area, ...problem("error log", line.slice(0, 600)), what: `inputs ${numbersOf(log)}` });
      for (const each of findSecrets(Buffer.from(line), service.secrets))
        this.#findings.add({ area, ...each, what: "in the log" });
    }
    const ended = service.ended();
    if (ended !== undefined && !this.#toldEnd) {
      this.#toldEnd = true;
      this.#findings.add({ area, ...problem("exit", ended), what: `inputs ${numbersOf(log)}` });
    }
  }

  /**
   * Sends the suspects of a stall again, one at a time, so that it can be said which of them made it. What none of them
   * makes again, and all of them at once do not either, was time that a busy host took: what holds the loop does so
   * each time.
   */
  async explain(): Promise<void> {
    const { area } = this.#plan;
    for (const [index, { stall, suspects }] of this.#stalls.entries()) {
      const isSentAgain = index < EXPLAINED_STALLS;
      const guilty = isSentAgain ? await this.#findGuilty(suspects) : undefined;
      if (isSentAgain && guilty === undefined && !(await this.#holdAgain(suspects))) continue;
      const detail =
        `the event loop was held for ${stall.wallMs.toFixed(0)} ms (${stall.cpuMs.toFixed(0)} ms of processor, ` +
        `${stall.collectingMs.toFixed(0)} ms for garbage) at ${new Date(stall.fromMs).toISOString()}`;
      const what = guilty?.what ?? `not by one of these alone: ${suspects.slice(0, 30).join(", ")}`;
      this.#findings.add({
        area: area.name,
        ...(guilty === undefined ? {} : { input: guilty.number }),
        ...problem("stall", detail),
        what,
      });
    }
  }

  async #findGuilty(suspects: readonly number[]): Promise<{ number: number; what: string } | undefined> {
    for (const number of suspects) if (await this.#holdAgain([number])) return { number, what: this.#describe(number) };
    return undefined;
  }

  #describe(number: number): string {
    const { area, seed } = this.#plan;
    const lane = area.open(this.#target);
    try {
      return lane.make(new Random(seed, area.name, number), number).what();
    } finally {
      lane.close();
    }
  }

  /** Tells whether inputs that are sent at once hold the loop, each time that they are sent. */
  async #holdAgain(numbers: readonly number[]): Promise<boolean> {
    for (let repeat = 0; repeat < REPEATS; repeat++) if (!(await this.#holdOnce(numbers))) return false;
    return true;
  }

  async #holdOnce(numbers: readonly number[]): Promise<boolean> {
    const { area, seed } = this.#plan;
    const { service } = this.#target;
    if (service.ended() !== undefined) return false;
    const waiting = [...numbers];
    // As many at a time as before: more at once would hold the loop for longer than these did.
    const lanes = Array.from({ length: Math.min(area.lanes, waiting.length) }, () => area.open(this.#target));
    service.stalls.splice(0);
    try {
      const sent = lanes.map(async (lane) => {
        for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
          await within(area.limitMs, lane.make(new Random(seed, area.name, number), number));
        }
      });
      await Promise.all(sent);
      await sleep(SETTLE_MS);
      const mostMs = numbers.length > 1 ? STALL_TOGETHER_MS : STALL_MS;
      return service.stalls.some((stall) => isStall(stall, mostMs));
    } finally {
      for (const lane of lanes) lane.close();
      service.stalls.splice(0);
      service.logLines.splice(0);
    }
  }
}

/**
 * Whether a line of the log is an error, or text of Node: the service itself writes JSON, and two lines on its build.
 */
function isComplaint(line: string): boolean {
  if (line.startsWith("{")) return /"level":[56]0/.test(line.slice(0, 20));
  return !/^\s*$|^(Building the|The) dashboard\b/.test(line);
}

function isStall({ wallMs, cpuMs }: StallReport, mostMs = STALL_MS): boolean {
  return cpuMs > mostMs || wallMs > IDLE_STALL_MS;
}

async function within(limitMs: number, input: Input): Promise<readonly Problem[] | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), limitMs);
  });
  try {
    return await Promise.race([input.send(), late]);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [problem("no answer", `the sender failed: ${text.slice(0, 300)}`)];
  } finally {
    clearTimeout(timer);
  }
}

function numbersOf(log: readonly Sent[]): string {
  return `${log[0]?.number ?? 0} to ${log.at(-1)?.number ?? 0}`;
}
