import { describe, expect, it } from "vitest";
import { LocalSignals } from "../../src/alerts/local-signals.ts";
import { ProcessWatch } from "../../src/alerts/process-watch.ts";

const MINUTE_MS = 60_000;

function createWatch() {
  const place = { upstream: "openai", upstreamModel: "gpt-6", health: { isOut: false, failures: 0 } };
  const spool = { bytes: 0, maxBytes: 1000, lost: 0 };
  const signals = new LocalSignals();
  const watch = new ProcessWatch({ places: () => [place], spool: () => spool }, signals);
  const check = (minutes: number) => {
    watch.check(minutes * MINUTE_MS);
    return [...signals.take(minutes * MINUTE_MS)].map(([name, signal]) => [name, signal?.value]);
  };
  return { place, spool, check };
}

describe("ProcessWatch", () => {
  it("reports for how long a deployment has failed, until it has answered", () => {
    const { place, check } = createWatch();
    place.health = { isOut: true, failures: 2 };
    expect(check(0)).toEqual([]);
    // It is asked again now and then: between two failures it is not out.
    place.health = { isOut: false, failures: 2 };
    expect(check(2)).toEqual([["deployment  openai/gpt-6", 2]]);
    expect(check(2.5)).toEqual([]);
    place.health = { isOut: false, failures: 0 };
    expect(check(3)).toEqual([["deployment  openai/gpt-6", undefined]]);
    expect(check(4)).toEqual([]);
  });

  it("reports how full the spool is, and what was lost as if it were full", () => {
    const { spool, check } = createWatch();
    expect(check(0)).toEqual([]);
    spool.bytes = 512;
    expect(check(1)).toEqual([["spool  ", 0.5]]);
    spool.lost = 1;
    expect(check(2)).toEqual([["spool  ", 1]]);
    spool.bytes = 0;
    expect(check(5)).toEqual([["spool  ", undefined]]);
  });
});
