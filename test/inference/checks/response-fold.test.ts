import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect, RawJsonSchema, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  BlockDeltaSchema,
  type ChoiceEvent,
  FinishReason,
  type GenerateEvent,
  GenerateEventSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  choiceEvent,
  finishedEvent,
  startedEvent,
} from "../../../src/hub/events.ts";
import { ResponseFold } from "../../../src/inference/checks/response-fold.ts";

function fold(events: readonly GenerateEvent[]): ResponseFold {
  const folded = new ResponseFold();
  for (const event of events) folded.add(event);
  return folded;
}

const text = (value = "") => ({ kind: { case: "text" as const, value: { text: value } } });

describe("ResponseFold", () => {
  it("keeps choices apart whose events come side by side", () => {
    const folded = fold([
      startedEvent({ id: "id-1", model: "attune/m" }),
      choiceEvent(2, blockStartEvent(0, text("c")).event as ChoiceEvent["event"]),
      blockStartEvent(0, text("a")),
      choiceEvent(1, blockStartEvent(0, text("b")).event as ChoiceEvent["event"]),
      choiceEvent(2, blockDeltaEvent(0, { case: "text", value: "C" }).event as ChoiceEvent["event"]),
      blockDeltaEvent(0, { case: "text", value: "A" }),
      choiceEvent(2, finishedEvent({ reason: FinishReason.LENGTH }).event as ChoiceEvent["event"]),
      choiceEvent(0, finishedEvent({ reason: FinishReason.STOP }).event as ChoiceEvent["event"]),
    ]);
    expect(folded.isFinished).toBe(false);
    const said = [folded.response, ...folded.response.furtherChoices].map(({ content, finished }) => [
      content.map(({ kind }) => kind.case === "text" && kind.value.text),
      finished?.reason,
    ]);
    expect(said).toEqual([
      [["aA"], undefined],
      [["b"], undefined],
      [["cC"], FinishReason.LENGTH],
    ]);
  });

  it("joins deltas to blocks of every kind", () => {
    const { response, usage } = fold([
      startedEvent({ id: "id-1", model: "attune/m", usage: { inputTokens: 3 } }),
      blockStartEvent(0, { kind: { case: "thinking", value: { id: "rs_1" } } }),
      blockDeltaEvent(0, {
        case: "summary",
        value: { $typeName: "attune.inference.v1.SummaryDelta", part: 1, text: "b" },
      }),
      blockDeltaEvent(0, { case: "thinking", value: "raw" }),
      blockDeltaEvent(0, { case: "opaque", value: "sig" }),
      blockEndEvent(0),
      blockStartEvent(1, text("He")),
      blockDeltaEvent(1, { case: "text", value: "llo" }),
      blockEndEvent(1),
      blockStartEvent(2, { kind: { case: "toolUse", value: { id: "c", name: "f", kind: ToolKind.FUNCTION } } }),
      blockDeltaEvent(2, { case: "arguments", value: '{"a"' }),
      blockDeltaEvent(2, { case: "arguments", value: ":1}" }),
      blockEndEvent(2),
      finishedEvent({ reason: FinishReason.TOOL_USE, usage: { inputTokens: 3, outputTokens: 9 } }),
    ]);
    expect(response).toMatchObject({ id: "id-1", model: "attune/m" });
    expect(response.content.map(({ kind }) => kind)).toMatchObject([
      { case: "thinking", value: { id: "rs_1", summary: ["", "b"], text: "raw", opaque: "sig" } },
      { case: "text", value: { text: "Hello" } },
      { case: "toolUse", value: { id: "c", name: "f", arguments: '{"a":1}' } },
    ]);
    expect(usage).toMatchObject({ inputTokens: 3, outputTokens: 9 });
  });

  it("knows the prompt's tokens before the end", () => {
    expect(fold([startedEvent({ usage: { inputTokens: 7 } })]).usage).toMatchObject({ inputTokens: 7 });
  });

  it("appends arrays of raw deltas and replaces other members", () => {
    const raw = (json: string) =>
      blockDeltaEvent(0, { case: "raw", value: create(RawJsonSchema, { dialect: Dialect.MESSAGES, json }) });
    const { response } = fold([
      startedEvent({}),
      blockStartEvent(0, text()),
      raw('{"citations":[{"n":1}],"x":1}'),
      raw('{"citations":[{"n":2}],"x":2}'),
    ]);
    expect(response.content[0]?.extension?.json).toBe('{"citations":[{"n":1},{"n":2}],"x":2}');
  });

  it("keeps the members of a delta beside its text", () => {
    const delta = create(BlockDeltaSchema, {
      index: 0,
      delta: { case: "text", value: "a" },
      extension: { dialect: Dialect.CHAT, json: '{"logprobs":[1]}' },
    });
    const event = create(GenerateEventSchema, { event: { case: "blockDelta", value: delta } });
    const { response } = fold([startedEvent({}), blockStartEvent(0, text()), event, event]);
    expect(response.content[0]).toMatchObject({
      kind: { case: "text", value: { text: "aa" } },
      extension: { json: '{"logprobs":[1,1]}' },
    });
  });

  it("does not change the events, which others read too", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 8 }), (pieces) => {
        const start = blockStartEvent(0, text("start"));
        const deltas = pieces.map((piece) => blockDeltaEvent(0, { case: "text", value: piece }));
        const { response } = fold([startedEvent({}), start, ...deltas]);
        expect(response.content[0]?.kind.value).toMatchObject({ text: `start${pieces.join("")}` });
        expect(start).toEqual(blockStartEvent(0, text("start")));
      }),
    );
  });
});
