import { describe, expect, it } from "vitest";
import { LocalSignals } from "../../src/alerts/local-signals.ts";
import type { Signal } from "../../src/alerts/ports.ts";

const signal = (subject: string, more: Partial<Signal> = {}): Signal => ({
  kind: "budget",
  subject,
  projectId: "p",
  value: 0.9,
  expiresAtMs: 1000,
  ...more,
});

/** Takes all that has to be written, in parts. */
function takeAll(signals: LocalSignals, nowMs = 0) {
  const all: [string, number | undefined][] = [];
  for (let part = signals.take(nowMs); part.size > 0; part = signals.take(nowMs)) {
    expect(part.size).toBeLessThanOrEqual(500);
    all.push(...[...part].map(([name, of]): [string, number | undefined] => [name, of?.value]));
  }
  return all;
}

describe("LocalSignals", () => {
  it("keeps nothing of conditions that come and go while nothing can be written", () => {
    const signals = new LocalSignals();
    for (let count = 0; count < 20_000; count++) {
      signals.set(signal(`user ${count}`), 0);
      const isTried = count % 1000 === 0;
      const taken = isTried ? signals.take(0) : new Map();
      signals.clear(signal(`user ${count}`));
      if (isTried) signals.restore(taken);
    }
    expect(takeAll(signals)).toEqual([]);
  });

  it("takes back what was written, however often that fails", () => {
    const signals = new LocalSignals();
    signals.set(signal("a"), 0);
    signals.set(signal("b"), 0);
    expect(takeAll(signals)).toHaveLength(2);
    signals.clear(signal("a"));
    signals.restore(signals.take(0));
    signals.set(signal("c"), 0);
    signals.restore(signals.take(0));
    expect(takeAll(signals)).toEqual([
      ["budget p a", undefined],
      ["budget p c", 0.9],
    ]);
    expect(takeAll(signals)).toEqual([]);
  });

  it("takes back what is over while it is being written", () => {
    const signals = new LocalSignals();
    signals.set(signal("a"), 0);
    expect(signals.take(0).size).toBe(1);
    signals.clear(signal("a"));
    expect(takeAll(signals)).toEqual([["budget p a", undefined]]);
  });

  it("writes what has changed meanwhile in place of what could not be written", () => {
    const signals = new LocalSignals();
    signals.set(signal("a"), 0);
    const taken = signals.take(0);
    signals.set(signal("a", { value: 1 }), 0);
    signals.restore(taken);
    expect(takeAll(signals)).toEqual([["budget p a", 1]]);
  });

  it("forgets what has expired before it was written, and reports 5,000 at most", () => {
    const signals = new LocalSignals();
    for (let count = 0; count < 6000; count++) signals.set(signal(String(count), { expiresAtMs: 10 }), 0);
    expect(takeAll(signals, 11)).toEqual([]);
    for (let count = 0; count < 6000; count++) signals.set(signal(String(count)), 11);
    expect(takeAll(signals, 11)).toHaveLength(5000);
  });
});
