import { describe, expect, it } from "vitest";
import type { CandidateSignals } from "../../../src/hub/candidate-signals.ts";
import { NO_BELIEFS } from "../../../src/learning/best-of-n/ranker.ts";
import { type PastChoice, Selector } from "../../../src/learning/best-of-n/selector.ts";
import { createRandom } from "../../../src/lib/hash.ts";

const withLength = (length: number, characters = 500): CandidateSignals => ({
  agreement: 0,
  length,
  unusual: 0,
  order: 0,
  elsewhere: 0,
  proven: 0,
  confidence: 0,
  characters,
});
/** Two answers, of which the second is half as long. */
const PAIR = [withLength(0.7, 1000), withLength(-0.7, 500)];
const returned = (at: number, changes: Partial<PastChoice> = {}): PastChoice => ({
  candidates: PAIR,
  expected: [0.3, 0.7],
  returned: at,
  chance: 0.5,
  isRandom: true,
  ...changes,
});

/**
 * Rewards of so many answers that chance returned; the short one is good in nine of ten, the long one in one of ten.
 */
function teach(selector: Selector, count: number, isShortGood = 0.9): void {
  const random = createRandom("teach");
  for (let at = 0; at < count; at++) {
    const which = random() < 0.5 ? 0 : 1;
    const isGood = random() < (which === 1 ? isShortGood : 1 - isShortGood);
    selector.learn(returned(which), Number(isGood), 1);
  }
}

describe("Selector", () => {
  it("learns what is preferred, and proves it", () => {
    const selector = Selector.begin(NO_BELIEFS);
    expect(selector.isProven).toBe(false);
    teach(selector, 60);
    expect(selector.predict(PAIR[1] ?? withLength(0))).toBeGreaterThan(selector.predict(PAIR[0] ?? withLength(0)));
    expect(selector.accuracy.low).toBeGreaterThan(0.75);
    expect(selector.isProven).toBe(true);
    expect(selector.rewards).toBe(60);
  });

  it("is not proven by what it says nothing of", () => {
    const selector = Selector.begin(NO_BELIEFS);
    teach(selector, 500, 0.5);
    expect(selector.accuracy.low).toBeLessThan(0.6);
    expect(selector.isProven).toBe(false);
  });

  it("goes on deciding while it is hardly worse than what proved it, also after a restart", () => {
    const proved = Selector.begin(NO_BELIEFS);
    teach(proved, 60);
    const at = (preferredSum: number, selector: Selector) => {
      const accuracy = { preferredSum, preferredCount: 100, otherSum: 30, otherCount: 100, pairs: 0, rightPairs: 0 };
      return Selector.restore({ ...selector.toSnapshot(), accuracy });
    };
    // Of odds of 81.5 * 70.5 / (19.5 * 30.5) less 1.96 standard deviations the lower end is .834; with 70 it is .746,
    // and with 65 .703.
    for (const [good, low] of [
      [81, 0.834],
      [70, 0.746],
      [65, 0.703],
    ] as const) {
      expect(at(good, proved)?.accuracy.low).toBeCloseTo(low, 3);
      expect(at(good, proved)?.isProven).toBe(low > 0.72);
      expect(at(good, Selector.begin(NO_BELIEFS))?.isProven).toBe(low > 0.75);
    }
  });

  it("is undecided until it is proven, can no longer be, or was measured for long", () => {
    const good = Selector.begin(NO_BELIEFS);
    expect(good.isUndecided).toBe(true);
    teach(good, 60);
    expect([good.isProven, good.isUndecided]).toEqual([true, false]);

    const useless = Selector.begin(NO_BELIEFS);
    teach(useless, 150, 0.5);
    expect(useless.isUndecided).toBe(true);
    teach(useless, 150, 0.5);
    // 300 tell a half from three quarters.
    expect(useless.accuracy.high).toBeLessThan(0.75);
    expect(useless.isUndecided).toBe(false);

    // Too good to be given up, and not good enough to be proven: until some 800 were measured.
    const fair = Selector.begin(NO_BELIEFS);
    teach(fair, 800, 0.66);
    expect(fair.accuracy.low).toBeLessThan(0.75);
    expect(fair.accuracy.high).toBeGreaterThan(0.75);
    expect(fair.isUndecided).toBe(true);
    teach(fair, 10, 0.66);
    expect([fair.isProven, fair.isUndecided]).toEqual([false, false]);
  });

  it("begins anew where what it prefers turns out to be the worse for long, and not while it is right", () => {
    const selector = Selector.begin(NO_BELIEFS);
    teach(selector, 2000);
    expect([selector.isProven, selector.measuredSince]).toEqual([true, 0]);
    const again = Selector.restore(selector.toSnapshot()) ?? Selector.begin(NO_BELIEFS);
    // The short one is good in one of ten now, and the long one in nine.
    const random = createRandom("flipped");
    let rewards = 0;
    for (; again.measuredSince === 0 && rewards < 500; rewards += 1) {
      const which = random() < 0.5 ? 0 : 1;
      again.learn(returned(which), Number(random() < (which === 1 ? 0.1 : 0.9)), 1);
    }
    expect(rewards).toBeLessThan(40);
    expect([again.isProven, again.isUndecided, again.measuredSince]).toEqual([false, true, 2000 + rewards]);
    expect(again.accuracy.observations).toBe(0);
    teach(again, 60, 0.1);
    expect(again.predict(withLength(0.7))).toBeGreaterThan(again.predict(withLength(-0.7)));
    expect(again.isProven).toBe(true);
  });

  it("is measured anew by what it knows", () => {
    const selector = Selector.begin(NO_BELIEFS);
    teach(selector, 300);
    const [short, long] = [withLength(-0.7), withLength(0.7)];
    const before = selector.predict(short) - selector.predict(long);
    selector.measureAnew();
    expect([selector.isProven, selector.isUndecided]).toEqual([false, true]);
    expect([selector.rewards, selector.measuredSince]).toEqual([300, 300]);
    const after = selector.predict(short) - selector.predict(long);
    expect(after).toBeGreaterThan(0.2);
    expect(after).toBeLessThan(before);
    expect(Selector.restore(selector.toSnapshot())?.toSnapshot()).toEqual(selector.toSnapshot());
  });

  it("is decided where nothing could be measured for two thousand rewards", () => {
    const selector = Selector.begin(NO_BELIEFS);
    const learn = (count: number) => {
      for (let at = 0; at < count; at++) selector.learn(returned(1, { isRandom: false, chance: 0.95 }), 1, 1);
    };
    learn(1999);
    expect(selector.isUndecided).toBe(true);
    learn(1);
    expect(selector.isUndecided).toBe(false);
  });

  it("is measured by what chance returned alone", () => {
    const selector = Selector.begin(NO_BELIEFS);
    for (let at = 0; at < 40; at++) selector.learn(returned(1, { isRandom: false, chance: 0.95 }), 1, 1);
    expect(selector.accuracy.observations).toBe(0);
    expect(selector.rewards).toBe(40);
  });

  it("has what seldom is returned count for more, within a bound", () => {
    const moved = (chance: number) => {
      const selector = Selector.begin(NO_BELIEFS);
      selector.learn(returned(1, { isRandom: false, chance }), 1, 1);
      return selector.predict(withLength(-0.7)) - 0.5;
    };
    expect(moved(0.95)).toBeLessThan(moved(0.5));
    expect(moved(0.5)).toBeLessThan(moved(0.2));
    expect(moved(0.05)).toBe(moved(0.001));
    // Where nothing else could be returned, it counts as it is.
    expect(moved(1)).toBe(moved(0.5));
  });

  it("learns of answers that were not returned, which measure nothing and tell nothing of what is usual", () => {
    const [selector, other] = [Selector.begin(NO_BELIEFS), Selector.begin(NO_BELIEFS)];
    selector.learnOther(returned(0, { chance: 0.95 }), 1, { reward: 1, weight: 1 });
    // Whatever the chance that it had to be returned, it counts once.
    other.learn(returned(1, { chance: 1, isRandom: false }), 1, 1);
    expect(selector.predict(withLength(-0.7))).toBe(other.predict(withLength(-0.7)));
    expect(selector.rewards).toBe(1);
    expect(selector.accuracy.observations).toBe(0);
    expect(selector.toSnapshot().usual.count).toBe(0);
  });

  it("is measured by pairs as it was expected then, where chance chose and something was expected of both", () => {
    const selector = Selector.begin(NO_BELIEFS);
    selector.compare(returned(0), 1, 0);
    selector.compare(returned(1), 0, 1);
    selector.compare(returned(1, { expected: [0.5, 0.5] }), 0, 1);
    selector.compare(returned(1, { isRandom: false }), 0, 1);
    selector.compare(returned(1, { expected: [undefined, 0.7] }), 0, 1);
    const { pairs, rightPairs } = selector.toSnapshot().accuracy;
    expect(pairs).toBeCloseTo(3, 1);
    // Right, wrong, and one of equals.
    expect(rightPairs).toBeCloseTo(1.5, 1);
  });

  it("is measured rightly by pairs that are looked at because the returned answer was bad", () => {
    const random = createRandom("looked at");
    const figuresOf = (isRandom: boolean) => {
      const selector = Selector.begin(NO_BELIEFS);
      for (let at = 0; at < 4000; at++) {
        // It expects more of the second one, which is good in 7 of 10 cases, the first one in 4: right in .42 / (.42 +
        // .12) of pairs that differ.
        const good = [random() < 0.4, random() < 0.7];
        const which = isRandom ? Number(random() < 0.5) : 1;
        if (good[which] || !good[1 - which]) continue;
        selector.compare(returned(which, { isRandom }), 1 - which, which);
      }
      return selector.accuracy;
    };
    expect(figuresOf(true).low).toBeLessThan(0.42 / 0.54);
    expect(figuresOf(true).high).toBeGreaterThan(0.42 / 0.54);
    // Where it chose itself, only its mistakes are looked at: nothing is measured by these.
    expect(figuresOf(false).observations).toBe(0);
  });

  it("knows what length is usual once it has seen 20 answers", () => {
    const selector = Selector.begin(NO_BELIEFS);
    for (let at = 0; at < 9; at++) selector.learn(returned(0), 1, 1);
    expect(selector.usualLogLength).toBeUndefined();
    selector.learn(returned(0), 1, 1);
    expect(selector.usualLogLength).toBeCloseTo((Math.log(1001) + Math.log(501)) / 2, 10);
  });

  it("goes on from its snapshot as if it had never stopped", () => {
    const [one, other] = [Selector.begin(NO_BELIEFS), Selector.begin(NO_BELIEFS)];
    teach(one, 30);
    teach(other, 30);
    const restored = Selector.restore(JSON.parse(JSON.stringify(other.toSnapshot())));
    for (const each of [one, restored]) each?.learn(returned(0), 0.25, 0.5);
    expect(restored?.toSnapshot()).toEqual(one.toSnapshot());
    expect(restored?.accuracy).toEqual(one.accuracy);
  });
});
