/**
 * Shifts the clock of a process, and of its threads, while it runs: `node --import` of this file, with the milliseconds
 * in the file that TEST_CLOCK_FILE names. Only what tells the time of the day is shifted; the monotonic clock, as on a
 * real machine, is not.
 */
import { readFileSync } from "node:fs";

const READ_EVERY_MS = 20;
const file = process.env["TEST_CLOCK_FILE"];
const SystemDate = Date;
let shiftMs = 0;
let readAtMs = Number.NEGATIVE_INFINITY;

function now(): number {
  const monotonic = performance.now();
  if (file !== undefined && monotonic - readAtMs > READ_EVERY_MS) {
    shiftMs = Number(readFileSync(file, "utf8"));
    readAtMs = monotonic;
  }
  return SystemDate.now() + shiftMs;
}

const ShiftedDate = new Proxy(SystemDate, {
  apply: () => new SystemDate(now()).toString(),
  construct: (target, values, of) => Reflect.construct(target, values.length === 0 ? [now()] : values, of),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});
SystemDate.prototype.constructor = ShiftedDate;
globalThis.Date = ShiftedDate;
