import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { yieldIfLarge } from "../../src/lib/yield-if-large.ts";

const SMALL = 65_536;
const LARGE = 2 ** 20 + 1;

/** Counts the iterations of the event loop while it is used. */
function countTurns(): { turn: number; stop(): void } {
  const counter = { turn: 0, stop: () => clearImmediate(next) };
  let next: NodeJS.Immediate;
  const count = (): void => {
    counter.turn += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  return counter;
}

function workFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Has several tasks make steps of 25 ms with texts of a size; returns the turns in which they made them. */
async function turnsOf(bytes: number): Promise<number[]> {
  const counter = countTurns();
  const turns: number[] = [];
  const task = async (): Promise<void> => {
    // As requests come: one after another, in one turn.
    await nextTurn();
    for (let step = 0; step < 3; step++) {
      await yieldIfLarge(bytes);
      turns.push(counter.turn);
      workFor(25);
    }
  };
  await Promise.all([task(), task(), task()]);
  counter.stop();
  return turns;
}

describe("yieldIfLarge()", () => {
  it("costs nothing for small texts", () => {
    expect(yieldIfLarge(SMALL)).toBeUndefined();
  });

  it.each([SMALL + 1, LARGE])("makes long steps with texts of %i bytes in a turn of their own each", async (bytes) => {
    const turns = await turnsOf(bytes);
    expect(new Set(turns).size).toBe(9);
  });

  it("lets others in after each step with a large text, though nobody else takes turns", async () => {
    const counter = countTurns();
    const before = counter.turn;
    await yieldIfLarge(LARGE);
    await yieldIfLarge(LARGE);
    expect(counter.turn).toBeGreaterThanOrEqual(before + 1);
    counter.stop();
  });
});
