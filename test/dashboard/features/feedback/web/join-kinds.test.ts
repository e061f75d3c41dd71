import { describe, expect, it } from "vitest";
import { joinKinds, writeMixedKinds } from "../../../../../src/dashboard/features/feedback/web/join-kinds.ts";

const metric = (name: string, kind: "boolean" | "float" | "note", entries: number) => ({
  name,
  kind,
  entries,
  optimize: null,
  estimate: null,
});

describe("joinKinds()", () => {
  it("shows a name once, by the kind that has the most entries", () => {
    const [yes, three, text] = [
      metric("helpful", "boolean", 12),
      metric("helpful", "float", 1),
      metric("helpful", "note", 2),
    ];
    const stars = metric("stars", "float", 5);
    expect(joinKinds([yes, stars, text, three])).toEqual([
      { ...yes, others: [text, three] },
      { ...stars, others: [] },
    ]);
  });
});

describe("writeMixedKinds()", () => {
  it("says what came under a name, once", () => {
    const joined = joinKinds([
      metric("helpful", "boolean", 12),
      metric("helpful", "float", 1),
      metric("stars", "float", 5),
    ]);
    expect(writeMixedKinds(joined)).toMatch(
      /^Values of several kinds came under one name\. .*helpful: .*\(12\), .*\(1\)\.$/,
    );
    expect(writeMixedKinds(joinKinds([metric("stars", "float", 5)]))).toBeUndefined();
  });
});
