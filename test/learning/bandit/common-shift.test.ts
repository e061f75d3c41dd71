import { describe, expect, it } from "vitest";
import { CommonShift } from "../../../src/learning/bandit/common-shift.ts";

const VARIANCE = 0.01;
/** Answers of others and of base so far, where base's mean rests on so many that it doesn't move. */
const UNMOVED = [100, 1e9] as const;

/** Counts answers one by one, each so much above base's mean. */
function count(shift: CommonShift, isBase: boolean, answers: number, each: number): void {
  for (let at = 0; at < answers; at++) shift.add(isBase, 1, each, VARIANCE);
}

/** Counts answers of base, with so many of others before each one. */
function alternate(shift: CommonShift, answers: number, others: number, each: { base: number; other: number }): void {
  for (let at = 0; at < answers; at++) {
    count(shift, false, others, each.other);
    count(shift, true, 1, each.base);
  }
}

describe("CommonShift", () => {
  it("shares a loss that base has at the same time, and no more than that", () => {
    const shift = new CommonShift();
    alternate(shift, 5, 20, { base: 0, other: 0 });
    alternate(shift, 3, 20, { base: -1, other: -1 });
    expect(shift.gainOf(...UNMOVED)).toBe(0);
    alternate(shift, 1, 20, { base: -1, other: -1 });
    expect(shift.gainOf(...UNMOVED)).toBeCloseTo(-80, 3);
    // Base recovers, and the others with it.
    alternate(shift, 100, 20, { base: 0, other: 0 });
    expect(shift.gainOf(...UNMOVED)).toBeCloseTo(-80, 3);
  });

  it("shares nothing while base does as well as ever, or better", () => {
    for (const ofBase of [0, 0.5]) {
      const shift = new CommonShift();
      alternate(shift, 100, 3, { base: ofBase, other: -1 });
      expect(shift.gainOf(...UNMOVED)).toBe(0);
    }
  });

  it("shares a part of what others lose more than base does, better known with each answer of base", () => {
    const shift = new CommonShift();
    alternate(shift, 200, 20, { base: -0.3, other: -1 });
    const shared = -shift.gainOf(...UNMOVED);
    expect(shared).toBeGreaterThan(4000 * 0.3);
    expect(shared).toBeLessThan(4000 * 0.33);
  });

  it("doesn't share the loss of others that goes on alone", () => {
    const shift = new CommonShift();
    alternate(shift, 20, 20, { base: -1, other: -1 });
    alternate(shift, 20, 20, { base: 0, other: -1 });
    const shared = shift.gainOf(...UNMOVED);
    alternate(shift, 100, 20, { base: 0, other: -1 });
    expect(shift.gainOf(...UNMOVED)).toBe(shared);
  });

  it("ends with the values of base that it was made of, when they are taken back", () => {
    const shift = new CommonShift();
    alternate(shift, 4, 20, { base: -1, other: -1 });
    expect(shift.gainOf(...UNMOVED)).toBeLessThan(0);
    for (let at = 0; at < 4; at++) shift.add(true, -1, 1, VARIANCE);
    expect(shift.gainOf(...UNMOVED)).toBe(0);
    expect(Object.values(shift.figures).every(Number.isFinite)).toBe(true);
    alternate(shift, 40, 20, { base: 0, other: -1 });
    expect(shift.gainOf(...UNMOVED)).toBe(0);
  });

  it("never turns a shared loss into a gain where more of others is taken back than it holds", () => {
    const shift = new CommonShift();
    alternate(shift, 5, 20, { base: -1, other: -0.1 });
    for (let at = 0; at < 120; at++) shift.add(false, -1, 0.01, VARIANCE);
    expect(shift.gainOf(...UNMOVED)).toBeLessThanOrEqual(0);
    expect(shift.meanMovedBy(1)).toBeLessThanOrEqual(0);
  });

  it("shares less as base's mean follows", () => {
    const shift = new CommonShift();
    alternate(shift, 40, 20, { base: -1, other: -1 });
    expect(shift.gainOf(800, 1e9)).toBeCloseTo(-800, 3);
    // The mean of 400 answers of base is lower by a tenth, and so is what 800 of others are held against.
    expect(shift.meanMovedBy(400)).toBeCloseTo(-0.1, 9);
    expect(shift.gainOf(800, 400)).toBeCloseTo(-720, 9);
    expect(shift.gainOf(16_000, 400)).toBe(-0);
  });

  it("takes back what all gained at the same time", () => {
    const shift = new CommonShift();
    alternate(shift, 20, 5, { base: 0.5, other: 0.5 });
    expect(shift.gainOf(...UNMOVED)).toBeCloseTo(50, 3);
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

  it("asks for base less often while it is known to lose as well", () => {
    const shift = new CommonShift();
    alternate(shift, 30, 5, { base: -0.2, other: -0.2 });
    expect(shift.isDoubtful).toBe(false);
    count(shift, false, 50, -0.6);
    expect(shift.isDoubtful).toBe(true);
  });
});
