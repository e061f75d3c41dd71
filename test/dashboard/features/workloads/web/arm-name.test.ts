import { describe, expect, it } from "vitest";
import { armName } from "../../../../../src/dashboard/features/workloads/web/arm-name.ts";
import { armsOfSeveral } from "../../../../../src/learning/bandit/best-of-n.ts";

describe("armName()", () => {
  it("has words for all several answers that the policy may ask for", () => {
    const arms = new Set([2, 3, 4].flatMap((most) => armsOfSeveral(most)));
    expect([...arms].map(armName)).toEqual([
      ...["the best model twice", "the two best models", "the three best models", "the four best models"],
    ]);
  });

  it("leaves models as they are named", () => {
    expect(armName("best")).toBe("best");
  });
});
