import { setImmediate as checkPhase, setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { afterPollPhase, EventLoopBudget, yieldIfLarge } from "../../src/lib/event-loop-budget.ts";

/** A share of 20 ms of a clock that only work moves. */
function create() {
  let time = 0;
  const share = new EventLoopBudget(20, () => time);
  const done: string[] = [];
  const work = async (name: string, ms: number): Promise<void> => {
    const turn = share.acquire();
    if (turn !== undefined) await turn;
    time += ms;
    done.push(name);
  };
  return { share, done, work };
}

describe("EventLoopBudget", () => {
  it("lets work begin at once while the turn's share lasts", async () => {
    const { share, done, work } = create();
    expect(share.acquire()).toBeUndefined();
    await Promise.all([work("a", 10), work("b", 9)]);
    expect(done).toEqual(["a", "b"]);
    expect(share.acquire()).toBeUndefined();
  });

  it("has what goes beyond it wait for later turns, in its order", async () => {
    const { done, work } = create();
    const all = ["a", "b", "c", "d", "e"].map((name) => work(name, 25));
    const afterEachTurn: string[] = [];
    while (done.length < 5) {
      await nextTurn();
      afterEachTurn.push(done.join(""));
    }
    await Promise.all(all);
    expect(afterEachTurn.filter((text) => text !== "a")).toEqual(["ab", "abc", "abcd", "abcde"]);
  });

  it("lets so many begin in a turn, however little they take", async () => {
    const share = new EventLoopBudget(20, () => 0, 2);
    const done: number[] = [];
    const all = [1, 2, 3, 4, 5].map(async (work) => {
      const turn = share.acquire();
      if (turn !== undefined) await turn;
      done.push(work);
    });
    const afterEachTurn = [done.length];
    while (done.length < 5) {
      await nextTurn();
      if (done.length > (afterEachTurn.at(-1) ?? 0)) afterEachTurn.push(done.length);
    }
    await Promise.all(all);
    expect(afterEachTurn).toEqual([2, 4, 5]);
    expect(done).toEqual([1, 2, 3, 4, 5]);
  });

  it("has what passes on wait for a later turn, though the share is whole", async () => {
    const { share } = create();
    const done: string[] = [];
    const passing = share.yield().then(() => done.push("passed on"));
    await Promise.resolve();
    expect(done).toEqual([]);
    await passing;
    expect(share.acquire()).toBeUndefined();
  });

  it("lets nobody overtake those who wait", async () => {
    const { done, work } = create();
    await work("a", 30);
    const b = work("b", 5);
    const c = work("c", 5);
    expect(done).toEqual(["a"]);
    await Promise.all([b, c]);
    expect(done).toEqual(["a", "b", "c"]);
  });

  it("has a whole share again in the next turn", async () => {
    const { share, work } = create();
    await work("a", 30);
    expect(share.acquire()).toBeInstanceOf(Promise);
    await nextTurn();
    await nextTurn();
    expect(share.acquire()).toBeUndefined();
  });
});

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

describe("afterPollPhase()", () => {
  it("lets all who wait in one iteration of the event loop go on together, in their order", async () => {
    const order: string[] = [];
    const step = async (name: string): Promise<void> => {
      await afterPollPhase();
      order.push(`${name} first`);
      await null;
      order.push(`${name} second`);
    };
    const steps = ["a", "b"].map(step);
    queueMicrotask(() => steps.push(step("c")));
    await null;
    expect(order).toEqual([]);
    await Promise.all(steps);
    await checkPhase();
    expect(order).toEqual(["a first", "b first", "c first", "a second", "b second", "c second"]);
  });

  it("is another one in the next turn", async () => {
    const first = afterPollPhase();
    expect(afterPollPhase()).toBe(first);
    await first;
    expect(afterPollPhase()).not.toBe(first);
    await afterPollPhase();
  });
});
