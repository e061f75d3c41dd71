import { setTimeout as delay } from "node:timers/promises";
import { callSeveral } from "./call-several.ts";
import type { MeasuredProcess } from "./measured-process.ts";
import type { Shape } from "./shapes.ts";
import type { FunctionCalls } from "./work-counter.ts";

/** What one warm request makes the main thread of a process do. */
export interface WorkOfRequest {
  readonly calls: number;
  /** Distinct functions that nearly every request runs. */
  readonly functions: number;
  readonly kilobytes: number;
  /** Calls by room of the code, most first. */
  readonly rooms: ReadonlyMap<string, { readonly calls: number; readonly functions: number }>;
}

const WARMING_REQUESTS = 2000;
const COUNTED_REQUESTS = 400;
/** Enough that code is compiled again, which counting calls had undone. */
const ALLOCATING_REQUESTS = 2000;
/** Time in which what requests leave behind is done: records that are written, timers that run. */
const SETTLING_MS = 3000;
/** A function is of a request if so many of the requests run it. */
const SHARE_OF_REQUESTS = 0.9;

/** Counts what requests of a shape make a process run; what it runs by itself in the same time is taken off. */
export async function countWork(target: MeasuredProcess, shape: Shape): Promise<WorkOfRequest> {
  if (target.countWork === undefined) throw new Error("several processes cannot be counted as one");
  await callSeveral(target, shape, WARMING_REQUESTS);
  await target.countWork("begin");
  await delay(SETTLING_MS);
  await target.countWork("take");
  await delay(SETTLING_MS);
  const idle = await target.countWork("take");
  await callSeveral(target, shape, COUNTED_REQUESTS);
  await delay(SETTLING_MS);
  const busy = await target.countWork("take");
  await target.countWork("sample");
  await callSeveral(target, shape, ALLOCATING_REQUESTS);
  const { allocatedBytes } = await target.countWork("end");
  const functions = takeOff(busy.functions, idle.functions);
  return {
    calls: Math.round(functions.reduce((sum, { calls }) => sum + calls, 0) / COUNTED_REQUESTS),
    functions: functions.filter(isOfEachRequest).length,
    kilobytes: Math.round(allocatedBytes / 1000 / ALLOCATING_REQUESTS),
    rooms: byRoom(functions),
  };
}

function takeOff(busy: readonly FunctionCalls[], idle: readonly FunctionCalls[]): FunctionCalls[] {
  const before = new Map(idle.map(({ id, calls }) => [id, calls]));
  return busy.map((entry) => ({ ...entry, calls: Math.max(0, entry.calls - (before.get(entry.id) ?? 0)) }));
}

function isOfEachRequest({ calls }: FunctionCalls): boolean {
  return calls >= COUNTED_REQUESTS * SHARE_OF_REQUESTS;
}

function byRoom(functions: readonly FunctionCalls[]): WorkOfRequest["rooms"] {
  const rooms = new Map<string, { calls: number; functions: number }>();
  for (const entry of functions) {
    const { calls, functions: count } = rooms.get(entry.room) ?? { calls: 0, functions: 0 };
    rooms.set(entry.room, { calls: calls + entry.calls, functions: count + Number(isOfEachRequest(entry)) });
  }
  const rounded = [...rooms].map(([room, { calls, functions: count }]) => {
    return [room, { calls: Math.round(calls / COUNTED_REQUESTS), functions: count }] as const;
  });
  return new Map(rounded.filter(([, { calls }]) => calls > 0).sort(([, a], [, b]) => b.calls - a.calls));
}
