import { describe, expect, it } from "vitest";
import { CommonShift } from "../../../src/learning/bandit/common-shift.ts";

const VARIANCE = 0.01;

/** Counts answers one by one, each so much above base's mean. */
function count(shift: CommonShift, isBase: boolean, answers: number, each: number): void {
  for (let at = 0; at < answers; at++) shift.add(isBase, 1, each, VARIANCE);
}

describe("CommonShift", () => {
  it("shares a loss that base has at the same time, and no more than that", () => {
    const shift = new CommonShift();
    count(shift, true, 200, 0);
    count(shift, false, 100, -1);
    expect(shift.gain).toBe(0);
    count(shift, true, 5, -1);
    expect(shift.gain).toBe(-100);
    count(shift, true, 100, 0);
    expect(shift.gain).toBe(-100);
  });

  it("shares nothing while base does as well as ever, or better", () => {
    for (const ofBase of [0, 0.5]) {
      const shift = new CommonShift();
      for (let spell = 0; spell < 5; spell++) {
        count(shift, false, 50, -1);
        count(shift, true, 20, ofBase);
      }
      expect(shift.gain).toBe(0);
    }
  });

  it("shares a part of what others lose more than base does", () => {
    const shift = new CommonShift();
    count(shift, false, 100, -1);
    count(shift, true, 19, -0.3);
    expect(-shift.gain).toBeGreaterThan(30);
    expect(-shift.gain).toBeLessThan(75);
  });

  it("takes back what all gained at the same time", () => {
    const shift = new CommonShift();
    count(shift, false, 100, 0.5);
    count(shift, true, 15, 0.5);
    expect(shift.gain).toBe(50);
  });

  it("asks for base while others lose, until base has answered", () => {
    const shift = new CommonShift();
    count(shift, false, 3, -1);
    expect(shift.isDoubtful).toBe(false);
    count(shift, false, 1, -1);
    expect(shift.isDoubtful).toBe(true);
    count(shift, true, 20, 0);
    expect(shift.isDoubtful).toBe(false);
  });
});
