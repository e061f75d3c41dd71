import { describe, expect, it } from "vitest";
import { FORMATS } from "../support/sdk-calls.ts";
import { REPEATED_PARTS } from "./repeated-parts.ts";
import { serveAnswer } from "./serve-answer.ts";

/** How often a part comes in the smaller answer. */
const COUNT = 300;
/** How much more often it comes in the larger one. */
const FACTOR = 10;
/** The larger answer may take so many times as long as the smaller one. */
const MOST = 15;
/** A machine that does much else is given so many tries. */
const TRIES = 4;
/** What takes less than this is not looked at: the clock of a thread is no finer. */
const NOISE_MS = 30;

/** Milliseconds of this thread's own work: what other processes take of the machine does not count. */
async function workMs(work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Both sides do the same work if it is linear: ten small answers, and one that is ten times as large. */
async function ratioOf(serve: (body: Buffer) => Promise<void>, small: Buffer, large: Buffer): Promise<number> {
  const smallMs = await workMs(async () => {
    for (let run = 0; run < FACTOR; run++) await serve(small);
  });
  const largeMs = await workMs(() => serve(large));
  return (FACTOR * Math.max(largeMs, NOISE_MS)) / Math.max(smallMs, NOISE_MS);
}

describe("what an upstream's answer costs", () => {
  for (const [position, { kind, name, write }] of REPEATED_PARTS.entries()) {
    it(`grows with its length: ${name}, ${kind}`, async () => {
      const format = FORMATS[position % FORMATS.length] ?? "chat";
      const [small, large] = [write(COUNT), write(COUNT * FACTOR)].map((text) => Buffer.from(text)) as [Buffer, Buffer];
      const serve = (body: Buffer): Promise<void> => serveAnswer(kind, format, body);
      await serve(small);
      let ratio = Number.POSITIVE_INFINITY;
      for (let run = 0; run < TRIES && ratio > MOST; run++) ratio = Math.min(ratio, await ratioOf(serve, small, large));
      expect(ratio).toBeLessThanOrEqual(MOST);
    });
  }
});
