import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContentBlockSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { GenerateEventSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { awaitingModel, markToolCall, markToolId, openToolBlock, openToolId } from "../../src/inference/tool-ids.ts";
import { modelCode } from "../../src/lib/model-code.ts";
import { stubModel } from "../support/stub-upstream.ts";
import { growthOf, LINEAR } from "../support/work-ratio.ts";

const other = { ...stubModel, name: "other" };
const result = (toolUseId: string) =>
  create(ContentBlockSchema, { kind: { case: "toolResult", value: { toolUseId } } });
const call = (id: string) =>
  create(ContentBlockSchema, { kind: { case: "toolUse", value: { id, name: "f", arguments: "{}" } } });
const callEvent = (id: string) =>
  create(GenerateEventSchema, { event: { case: "blockStart", value: { index: 0, block: call(id) } } });

describe("markToolId(), openToolId()", () => {
  it("give back every id, and the model", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (id, model) => {
        expect(openToolId(markToolId(id, model))).toEqual({ id, code: modelCode(model) });
      }),
    );
  });

  it("leave every other id alone", () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        expect(openToolId(id)).toBeUndefined();
      }),
    );
    expect(openToolId("call_at0123456789abcd")).toBeUndefined();
    expect(openToolId(`x${markToolId("call_1", "m")}`)).toBeUndefined();
  });

  it("keep to the letters that the Messages format takes in an id", () => {
    expect(markToolId("toolu_01A-b", "some/model")).toMatch(/^[a-zA-Z0-9_-]+$/);
  });

  it("take time in proportion to the length of what looks like a mark", async () => {
    const open = (times: number) => expect(openToolId("_at".repeat(times))).toBeUndefined();
    expect(await growthOf(open, 100_000)).toBeLessThanOrEqual(LINEAR);
  });
});

describe("markToolCall()", () => {
  it("marks calls of another model than was asked for, and hands on all else as it is", () => {
    const event = callEvent("call_1");
    expect(markToolCall(event, other, other)).toBe(event);
    const marked = markToolCall(event, other, stubModel);
    const block = marked.event.case === "blockStart" ? marked.event.value.block : undefined;
    expect(block?.kind).toMatchObject({ case: "toolUse", value: { id: markToolId("call_1", "other"), name: "f" } });
    const end = create(GenerateEventSchema, { event: { case: "blockEnd", value: { index: 0 } } });
    expect(markToolCall(end, other, stubModel)).toBe(end);
  });
});

describe("openToolBlock()", () => {
  it("gives calls and results the ids of their model again", () => {
    expect(openToolBlock(call(markToolId("call_1", "m")))).toEqual(call("call_1"));
    expect(openToolBlock(result(markToolId("call_1", "m")))).toEqual(result("call_1"));
    const plain = result("call_1");
    expect(openToolBlock(plain)).toBe(plain);
  });
});

describe("awaitingModel()", () => {
  const messages = (...blocks: ReturnType<typeof result>[]) => ({
    messages: [{ content: [call("call_1")] }, { content: blocks }] as never,
  });

  it("tells whose calls the last message answers", () => {
    expect(awaitingModel(messages(result(markToolId("call_1", "m"))))).toBe(modelCode("m"));
    expect(awaitingModel(messages(result("call_1")))).toBe("");
    expect(awaitingModel(messages())).toBeUndefined();
    expect(awaitingModel({ messages: [] })).toBeUndefined();
  });
});
