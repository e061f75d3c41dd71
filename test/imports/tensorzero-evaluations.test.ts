import { describe, expect, it } from "vitest";
import { importEvaluations } from "../../src/imports/tensorzero/import-evaluations.ts";

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** A row of ChatInference, with the columns of tensorzero.com/docs/gateway/data-model that count. */
function inference(id: string, variant: string, datapoint?: string, name = "extract") {
  const tags = datapoint === undefined ? {} : { "tensorzero::datapoint_id": datapoint };
  return { id, function_name: name, variant_name: variant, input: `{"messages":["${datapoint}"]}`, output: "[]", tags };
}

/** A row of BooleanMetricFeedback or FloatMetricFeedback. */
const said = (id: string, value: unknown, metric = "exact") => ({
  target_id: id,
  metric_name: metric,
  value,
  tags: {},
});

const INFERENCES = [
  ...[inference("1", "small", "a"), inference("2", "large", "a"), inference("3", "large", "a")],
  ...[inference("4", "small", "b"), inference("5", "small")],
];
const FEEDBACK = [said("1", true), said("2", false), said("3", 0.5), said("4", true), said("5", true), said("9", true)];

describe("importEvaluations()", () => {
  it("makes a row of each datapoint that every variant has a score for", () => {
    const { rows, notes } = importEvaluations({ inferences: lines(INFERENCES), feedback: lines(FEEDBACK) });
    expect(rows.map((row) => JSON.parse(row))).toEqual([
      { dataset: "extract", prompt_id: "a", prompt: '{"messages":["a"]}', scores: { large: 0.25, small: 1 } },
    ]);
    expect(notes).toEqual(["1 datapoints lack a score of large, small, and are left out"]);
  });

  it("takes the latest of several values for one inference, wherever it stands", () => {
    const latest = { id: "019ad000-0000-7000-8000-000000000002", ...said("1", false) };
    const earlier = { id: "019ad000-0000-7000-8000-000000000001", ...said("1", true) };
    for (const own of [
      [earlier, latest],
      [latest, earlier],
    ]) {
      const feedback = lines([...own, said("2", true)]);
      const { rows } = importEvaluations({ inferences: lines(INFERENCES), feedback });
      expect(rows.map((row) => JSON.parse(row).scores)).toEqual([{ large: 1, small: 0 }]);
    }
  });

  it("leaves out, and names, what is no score", () => {
    const feedback = lines([...FEEDBACK, said("4", 7), said("3", null)]);
    const { notes } = importEvaluations({ inferences: lines(INFERENCES), feedback });
    expect(notes[0]).toBe("2 values of exact are not from 0 to 1, and left out");
  });

  it.each([
    ["no inference is of an evaluation", [inference("5", "small")], FEEDBACK, {}],
    ["choose one with --function: draft, extract", [...INFERENCES, inference("6", "x", "a", "draft")], FEEDBACK, {}],
    ["choose one with --metric: exact, judge", INFERENCES, [...FEEDBACK, said("1", 1, "judge")], {}],
    ["--metric nosuch is in no row that fits; there is exact", INFERENCES, FEEDBACK, { metric: "nosuch" }],
    ["no datapoint has a score of every variant (large, small)", INFERENCES, [said("4", 1), said("2", 1)], {}],
  ])("says %s", (message, inferences, feedback, choice) => {
    const tables = { inferences: lines(inferences), feedback: lines(feedback) };
    expect(() => importEvaluations(tables, choice)).toThrow(message);
  });

  it("says which line isn't JSON", () => {
    const tables = { inferences: `${lines(INFERENCES)}{"id":`, feedback: "" };
    expect(() => importEvaluations(tables)).toThrow("line 6 of the inferences isn't a JSON object");
  });
});
