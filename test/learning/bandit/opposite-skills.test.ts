import { describe, expect, it } from "vitest";
import { measureOppositeSkills } from "../../bench/policy/opposite-skills.ts";

/** The short form of what `npm run bench:policy -- --safety` plays in a thousand streams. */
describe("models that are each good at one half of the prompts", () => {
  it("are found out in every stream, also where the first tries of one went wrong", () => {
    const [soon, late] = measureOppositeSkills(40, [4500, 8000]);
    expect(soon?.arrived).toBeGreaterThanOrEqual(0.85);
    expect(late).toMatchObject({ calls: 8000, arrived: 1 });
  });
});
