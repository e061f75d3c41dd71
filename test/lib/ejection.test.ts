import { describe, expect, it } from "vitest";
import { Ejection } from "../../src/lib/ejection.ts";

/** Milliseconds for which a place is left for last from `nowMs` on. */
function outFor(ejection: Ejection, nowMs: number): number {
  let ms = 0;
  while (ejection.isOut(nowMs + ms)) ms += 100;
  return ms;
}

describe("Ejection", () => {
  it("takes one failure for chance", () => {
    const ejection = new Ejection();
    ejection.failed(0, 0);
    expect([ejection.isOut(0), ejection.returned(0)]).toEqual([false, 1]);
  });

  it("leaves out what fails twice in a row, twice as long each time it fails again on its return", () => {
    const ejection = new Ejection();
    ejection.failed(0, 0);
    let nowMs = 0;
    const waits = Array.from({ length: 8 }, () => {
      ejection.failed(nowMs, 0);
      const ms = outFor(ejection, nowMs);
      nowMs += ms;
      return ms;
    });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("counts calls that were under way when it was left out as nothing new", () => {
    const ejection = new Ejection();
    for (let call = 0; call < 50; call++) ejection.failed(0, 0);
    expect(outFor(ejection, 0)).toBe(1000);
  });

  it("finds what fails now and then, though never twice in a row", () => {
    const ejection = new Ejection();
    const outAfter: number[] = [];
    for (let call = 0; call < 12 && outAfter.length === 0; call++) {
      if (call % 3 === 0) ejection.failed(call, 0);
      else ejection.succeeded(call);
      if (ejection.isOut(call)) outAfter.push(call);
    }
    // The third failure, of seven calls.
    expect(outAfter).toEqual([6]);
  });

  it("leaves in what fails once in ten", () => {
    const ejection = new Ejection();
    for (let call = 0; call < 200; call++) {
      if (call % 10 === 9) ejection.failed(call, 0);
      else ejection.succeeded(call);
      expect(ejection.isOut(call)).toBe(false);
    }
  });

  it("believes a place that says when to come again, up to a minute", () => {
    const ejection = new Ejection();
    ejection.failed(0, 7000);
    expect(outFor(ejection, 0)).toBe(7000);
    ejection.failed(10_000, 3_600_000);
    expect(outFor(ejection, 10_000)).toBe(60_000);
  });

  it("comes back over ten seconds", () => {
    const ejection = new Ejection();
    ejection.failed(0, 0);
    ejection.failed(0, 0);
    expect([500, 1000, 6000, 11_000].map((nowMs) => ejection.returned(nowMs))).toEqual([0, 0, 0.5, 1]);
  });

  it("forgets one time for each minute without a failure", () => {
    const ejection = new Ejection();
    for (const nowMs of [0, 0, 1000, 3000]) ejection.failed(nowMs, 0);
    expect(outFor(ejection, 3000)).toBe(4000);
    ejection.succeeded(10_000);
    // Three times, less two whole minutes since it came back.
    ejection.failed(183_000, 0);
    ejection.failed(183_000, 0);
    expect(outFor(ejection, 183_000)).toBe(2000);
  });
});
