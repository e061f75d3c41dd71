import { describe, expect, it } from "vitest";
import { type Answered, Course } from "../../src/replay/course.ts";

const answered = (given: Partial<Answered> & { arm: number; propensity: number; value: number }): Answered => ({
  isCovered: () => true,
  expected: () => 0.5,
  ...given,
});

describe("Course", () => {
  it("mends what was expected by what came of the same choice, as often as that was unlikely", () => {
    const course = new Course(0);
    course.add(1, answered({ arm: 1, propensity: 0.25, value: 1 })); // .5 + .5 / .25 = 2.5
    course.add(1, answered({ arm: 0, propensity: 0.75, value: 0 })); // .5
    course.add(1, answered({ arm: 0, propensity: 0.75, value: 1 })); // .5
    course.add(1, answered({ arm: 1, propensity: 0.25, value: 0 })); // .5 - .5 / .25 = -1.5
    expect(course.mean).toBe(0.5);
    // Base: .5, .5 - .5 / .75, .5 + .5 / .75, .5
    expect(course.effective).toBe(2);
    expect(course.deviatingShare).toBe(1);
  });

  it("counts answers that weigh much as few", () => {
    const course = new Course(0);
    course.add(1, answered({ arm: 1, propensity: 0.01, value: 1 }));
    for (let count = 0; count < 10; count++) course.add(1, answered({ arm: 1, propensity: 1, value: 1 }));
    // (100 + 10)^2 / (100^2 + 10)
    expect(course.effective).toBeCloseTo(12100 / 10010, 9);
  });

  it("says nothing where too few answers speak for it, and why", () => {
    const course = new Course(0);
    expect(course.doubt).toBe("no request got feedback");
    for (let count = 0; count < 29; count++) course.add(1, answered({ arm: 1, propensity: 0.5, value: count % 2 }));
    expect(course.figures()).toBeUndefined();
    expect(course.doubt).toBe("no more than 29 answers speak for it, and 30 have to");
    course.add(1, answered({ arm: 1, propensity: 0.5, value: 1 }));
    expect(course.doubt).toBeUndefined();
    expect(course.figures()?.value.mean).toBeCloseTo(0.5 + (15 * 1 - 15 * 1) / 30, 9);
  });

  it("says nothing where its model had no chance to answer", () => {
    const course = new Course(0);
    for (let count = 0; count < 100; count++) {
      course.add(1, answered({ arm: 1, propensity: 0.5, value: count % 2, isCovered: () => count % 4 !== 0 }));
    }
    expect(course.figures()).toBeUndefined();
    expect(course.doubt).toBe("in 25% of the requests its model had no chance to answer");
  });

  it("calls nothing better that seldom deviates, and base never", () => {
    const base = new Course(0);
    const other = new Course(0);
    for (let count = 0; count < 99; count++) {
      const arm = count % 2;
      const given = answered({ arm, propensity: 0.5, value: arm });
      base.add(0, given);
      other.add(1, given);
    }
    expect(base.figures()).toMatchObject({ isBetter: false, delta: { mean: 0, low: 0, high: 0 } });
    expect(other.figures()?.delta.low).toBeGreaterThan(0);
    expect(other.figures()?.isBetter).toBe(false);
    for (let count = 0; count < 2; count++) other.add(1, answered({ arm: 1, propensity: 0.5, value: 1 }));
    expect(other.figures()?.isBetter).toBe(true);
  });
});
