import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { readPart, viewContent } from "../../../../src/dashboard/features/history/view-content.ts";
import { createHubInput } from "../../../../src/hub/input.ts";

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });

describe("viewContent()", () => {
  it("shows the answers of candidates that were not chosen beside the one that was, and where the rest of each is", () => {
    const content = {
      input: createHubInput({ model: "attune/m", candidates: 3 }),
      output: create(GenerateResponseSchema, {
        content: [text("given")],
        notChosen: [
          { attempt: 0, content: [text("worse")] },
          { attempt: 2, leftOut: true },
        ],
      }),
    };
    const { answer, notChosen, settings } = viewContent(content, { from: 0, to: 0 });
    expect(answer).toEqual([{ kind: "text", text: { part: 0, start: "given", length: 5 } }]);
    expect(notChosen).toEqual([
      {
        attempt: 0,
        isLeftOut: false,
        blocks: [{ kind: "text", text: { part: 1, start: "worse", length: 5 } }],
      },
      { attempt: 2, isLeftOut: true, blocks: [] },
    ]);
    expect(readPart(content, { part: 1, from: 1, length: 3 })).toEqual({ text: "ors", length: 5 });
    expect(settings).toContainEqual({ name: "Answers to choose from", value: "3" });
  });

  it("says whose format a block is of, also where callers have none such", () => {
    const kind = { case: "opaque" as const, value: { json: '{"audio":{}}' } };
    const output = create(GenerateResponseSchema, { content: [{ kind }] });
    const { answer } = viewContent({ input: createHubInput({}), output }, { from: 0, to: 0 });
    expect(answer).toMatchObject([{ kind: "opaque", dialect: "upstream's own" }]);
  });
});
