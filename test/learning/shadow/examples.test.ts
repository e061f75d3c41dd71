import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { Examples } from "../../../src/learning/shadow/examples.ts";
import type { RatedAnswer } from "../../../src/learning/shadow/ports.ts";

const text = (said: string) => ({ kind: { case: "text", value: { text: said } } }) as const;
const family = { projectId: "p", model: "base", family: "tag:a" };

function rated(
  inferenceId: string,
  isLiked: boolean,
  changes: { answer?: string; notes?: string[] } = {},
): RatedAnswer {
  const { answer = inferenceId, notes = [] } = changes;
  const messages = [
    { role: Role.USER, content: [text("first")] },
    { role: Role.ASSISTANT, content: [text("hm")] },
    { role: Role.USER, content: [text("last")] },
  ];
  const response = create(GenerateResponseSchema, { content: [text(answer)] });
  return { inferenceId, isLiked, notes, input: createHubInput({ messages }), response };
}

/** Examples of what a store has, and how often it was asked. */
function examplesOf(answers: readonly RatedAnswer[]) {
  const asked: number[] = [];
  const readRated = async (_: unknown, mostOfSign: number) => {
    asked.push(mostOfSign);
    return answers;
  };
  return { examples: new Examples({ readRated }), asked };
}

describe("Examples", () => {
  it("has three of either sign, with the last question and what was said", async () => {
    const answers = [true, false].flatMap((isLiked) =>
      [1, 2, 3, 4].map((at) => rated(`${isLiked} ${at}`, isLiked, { notes: at === 1 ? ["a", "b", "c"] : [] })),
    );
    const found = await examplesOf(answers).examples.of({ ...family, inferenceId: "graded" });
    expect(found.map(({ answer }) => answer)).toEqual(["true 1", "true 2", "true 3", "false 1", "false 2", "false 3"]);
    expect(found[0]).toEqual({ asked: "last", answer: "true 1", satisfactory: true, notes: ["a", "b"] });
    expect(found[4]).toEqual({ asked: "last", answer: "false 2", satisfactory: false });
  });

  it("never has the answer that is graded", async () => {
    const answers = [1, 2, 3, 4].map((at) => rated(`${at}`, true));
    const found = await examplesOf(answers).examples.of({ ...family, inferenceId: "2" });
    expect(found.map(({ answer }) => answer)).toEqual(["1", "3", "4"]);
  });

  it("cuts long texts, and no character in two", async () => {
    const long = "🙂".repeat(2000);
    const [example] = await examplesOf([rated("1", true, { answer: long, notes: [long] })]).examples.of({
      ...family,
      inferenceId: "graded",
    });
    const texts = [example?.answer ?? "", example?.notes?.[0] ?? ""];
    expect(texts.map((cut) => [cut.length, cut.isWellFormed(), cut.endsWith("…")])).toEqual([
      [800, true, true],
      [200, true, true],
    ]);
  });

  it("asks the store once for a family, and again after it has failed", async () => {
    const { examples, asked } = examplesOf([rated("1", true)]);
    for (const name of ["tag:a", "tag:a", "tag:b"]) await examples.of({ ...family, family: name, inferenceId: "i" });
    expect(asked).toEqual([4, 4]);
    let isAway = true;
    const failing = new Examples({
      readRated: async () => {
        if (isAway) throw new Error("away");
        return [rated("1", true)];
      },
    });
    await expect(failing.of({ ...family, inferenceId: "i" })).rejects.toThrow("away");
    isAway = false;
    expect(await failing.of({ ...family, inferenceId: "i" })).toHaveLength(1);
  });
});
