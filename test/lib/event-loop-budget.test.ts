import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { EventLoopBudget } from "../../src/lib/event-loop-budget.ts";

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
