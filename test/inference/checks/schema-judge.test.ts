import { describe, expect, it } from "vitest";
import { type JsonQuestion, SchemaJudge } from "../../../src/inference/checks/schema-judge.ts";

const asking = (json: string, schema: unknown): JsonQuestion => {
  const schemaJson = JSON.stringify(schema);
  return { text: { json }, schema: { json: schemaJson, digest: schemaJson }, root: "any" };
};
/** Takes years of this pattern. */
const ENDLESS = asking(JSON.stringify(`${"a".repeat(60)}b`), { type: "string", pattern: "^(a+)+$" });

describe("SchemaJudge", () => {
  it("says of a text whether its schema accepts it", () => {
    const integer = { type: "integer" };
    const questions = [asking("1", integer), asking('"1"', integer), asking("1", { type: 7 }), asking("{", integer)];
    expect(new SchemaJudge().judge(questions).judgements).toEqual(["fits", "mismatch", "unusable", "invalid"]);
  });

  it("calls a schema slow that takes the processor's time", () => {
    expect(new SchemaJudge().judge([ENDLESS]).judgements).toEqual(["slow"]);
  });

  // On a machine that is busy enough, the first try alone takes the time of all questions.
  it("goes on where the time was not the thread's own, within the time of all questions", { retry: 2 }, () => {
    const started = performance.now();
    expect(new SchemaJudge(() => 0).judge([ENDLESS, ENDLESS]).judgements).toEqual(["unusable", "unusable"]);
    expect(performance.now() - started).toBeGreaterThan(1500);
    // It is slow in the end where it has had its time at last.
    const hadMs = [0, 0, 0];
    expect(new SchemaJudge(() => hadMs.shift() ?? 1000).judge([ENDLESS]).judgements).toEqual(["slow"]);
  });
});
