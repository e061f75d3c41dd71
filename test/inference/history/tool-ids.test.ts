import { createHash, createSecretKey } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContentBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateEventSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { routedModelCode } from "../../../src/hub/routed-model-code.ts";
import {
  awaitingModel,
  markRecord,
  markToolCall,
  markToolId,
  openToolBlock,
  openToolId,
} from "../../../src/inference/history/tool-ids.ts";
import { newId } from "../../../src/lib/ids.ts";
import { Signer } from "../../../src/lib/signer.ts";
import { stubModel } from "../../support/stub-upstream.ts";
import { signerOf } from "../../support/test-signer.ts";
import { growthOf, LINEAR } from "../../support/work-ratio.ts";

const signer = signerOf("p");
const CODE = routedModelCode("asked", "m");
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
      fc.property(fc.string({ unit: "binary" }), fc.string(), fc.string(), (id, base, model) => {
        expect(openToolId(signer, markToolId(signer, id, routedModelCode(base, model)))).toEqual({
          id,
          code: routedModelCode(base, model),
        });
      }),
    );
  });

  it("give back the inference that called, behind the mark of a model too", () => {
    const inferenceId = newId();
    const recorded = markRecord(signer, "call_1", inferenceId);
    expect(recorded).toMatch(/^call_1[\w-]{33}$/);
    expect(openToolId(signer, recorded)).toEqual({ id: "call_1", code: "", inferenceId });
    expect(openToolId(signer, markToolId(signer, recorded, CODE))).toEqual({ id: "call_1", code: CODE, inferenceId });
    expect(openToolId(signerOf("q"), recorded)).toBeUndefined();
    expect(openToolId(signer, `x${recorded}`)).toBeUndefined();
  });

  it("leave every other id alone", () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        expect(openToolId(signer, id)).toBeUndefined();
      }),
    );
    expect(openToolId(signer, "call_at0123456789abcd")).toBeUndefined();
    expect(openToolId(signer, `x${markToolId(signer, "call_1", CODE)}`)).toBeUndefined();
  });

  it("take no mark that was made without the key, or for another project", () => {
    const sum = createHash("sha256").update(`${CODE}.call_1`).digest("hex");
    for (const length of [6, 16]) expect(openToolId(signer, `call_1_at${CODE}${sum.slice(0, length)}`)).toBeUndefined();
    expect(openToolId(signer, markToolId(signerOf("other"), "call_1", CODE))).toBeUndefined();
    const otherKey = new Signer(createSecretKey(Buffer.alloc(32, "other")), "p");
    expect(openToolId(signer, markToolId(otherKey, "call_1", CODE))).toBeUndefined();
  });

  it("keep to the letters that the Messages format takes in an id", () => {
    expect(markToolId(signer, "toolu_01A-b", CODE)).toMatch(/^[a-zA-Z0-9_-]+$/);
  });

  it("take time in proportion to the length of what looks like a mark", async () => {
    const open = (times: number) => expect(openToolId(signer, "_at".repeat(times))).toBeUndefined();
    expect(await growthOf(open, 100_000)).toBeLessThanOrEqual(LINEAR);
  });
});

describe("markToolCall()", () => {
  it("marks calls of another model than was asked for, and hands on all else as it is", () => {
    const event = callEvent("call_1");
    expect(markToolCall(event, { answering: other, asked: other, signer })).toBe(event);
    const marked = markToolCall(event, { answering: other, asked: stubModel, signer });
    const block = marked.event.case === "blockStart" ? marked.event.value.block : undefined;
    expect(block?.kind).toMatchObject({
      case: "toolUse",
      value: { id: markToolId(signer, "call_1", routedModelCode("m", "other")), name: "f" },
    });
    const end = create(GenerateEventSchema, { event: { case: "blockEnd", value: { index: 0 } } });
    expect(markToolCall(end, { answering: other, asked: stubModel, signer })).toBe(end);
  });
});

describe("openToolBlock()", () => {
  it("gives calls and results the ids of their model again", () => {
    expect(openToolBlock(signer, call(markToolId(signer, "call_1", CODE)))).toEqual(call("call_1"));
    expect(openToolBlock(signer, result(markToolId(signer, "call_1", CODE)))).toEqual(result("call_1"));
    const plain = result("call_1");
    expect(openToolBlock(signer, plain)).toBe(plain);
  });
});

describe("awaitingModel()", () => {
  const messages = (...blocks: ReturnType<typeof result>[]) => ({
    messages: [{ content: [call("call_1")] }, { content: blocks }] as never,
  });

  it("tells whose calls the last message answers", () => {
    expect(awaitingModel(signer, messages(result(markToolId(signer, "call_1", CODE))))).toBe(CODE);
    expect(awaitingModel(signer, messages(result("call_1")))).toBe("");
    expect(awaitingModel(signer, messages())).toBeUndefined();
    expect(awaitingModel(signer, { messages: [] })).toBeUndefined();
  });
});
