import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  AnnotationSchema,
  Dialect,
  LogprobsSchema,
  RawJsonSchema,
  ToolKind,
  UsageSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReason,
  type GenerateEvent,
  GenerateEventSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent, finishedEvent } from "../../../../src/hub/events.ts";
import { answer, codec, ID, request, resource, respond, SUFFIX, started, summary, text } from "./answer.ts";

const STOP = { reason: FinishReason.STOP };

function responses(object: unknown) {
  return create(RawJsonSchema, { dialect: Dialect.RESPONSES, json: JSON.stringify(object) });
}

function raw(object: unknown): GenerateEvent {
  return create(GenerateEventSchema, { event: { case: "raw", value: responses(object) } });
}

function encode(events: readonly GenerateEvent[]): string {
  return codec.createEventEncoder(request).encode(events);
}

/** Writes frames by hand: each is its type and the text of its members after the sequence number. */
function frames(list: readonly (readonly [type: string, members: string])[], from = 0): string {
  return list
    .map(([type, rest], n) => `event: ${type}\ndata: {"type":"${type}","sequence_number":${from + n},${rest}}\n\n`)
    .join("");
}

const inProgress = JSON.stringify(resource({ status: "in_progress", completed_at: null }));
const opening = [
  ["response.created", `"id":"${ID}","response":${inProgress}`],
  ["response.in_progress", `"response":${inProgress}`],
] as const;

/** The payloads of a stream, parsed, without [DONE]. */
function payloads(stream: string): JsonObject[] {
  return stream
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)));
}

describe("createEventEncoder()", () => {
  it("writes a text, byte for byte", () => {
    const id = `msg_${SUFFIX}_0`;
    const place = `"item_id":"${id}","output_index":0,"content_index":0`;
    const message = (status: string, content: string) =>
      `{"id":"${id}","type":"message","role":"assistant","status":"${status}","content":[${content}]}`;
    const part = (words: string) => `{"type":"output_text","text":"${words}","annotations":[],"logprobs":[]}`;
    const usage = create(UsageSchema, { inputTokens: 3, outputTokens: 2 });
    const completed = resource({
      output: [JSON.parse(message("completed", part("Hé\\n\\u0000!")))],
      usage: {
        input_tokens: 3,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 5,
      },
    });
    const blocks: Parameters<typeof answer>[0] = [[{ kind: { case: "text", value: {} } }, text("Hé\n"), text("\0!")]];
    expect(encode(answer(blocks, { ...STOP, usage }))).toBe(
      `${frames([
        ...opening,
        ["response.output_item.added", `"output_index":0,"item":${message("in_progress", "")}`],
        ["response.content_part.added", `${place},"part":${part("")}`],
        ["response.output_text.delta", `${place},"delta":"Hé\\n","logprobs":[]`],
        ["response.output_text.delta", `${place},"delta":"\\u0000!","logprobs":[]`],
        ["response.output_text.done", `${place},"text":"Hé\\n\\u0000!","logprobs":[]`],
        ["response.content_part.done", `${place},"part":${part("Hé\\n\\u0000!")}`],
        ["response.output_item.done", `"output_index":0,"item":${message("completed", part("Hé\\n\\u0000!"))}`],
        ["response.completed", `"response":${JSON.stringify(completed)}`],
      ])}data: [DONE]\n\n`,
    );
  });

  it("writes a refusal in the message of the text before it", () => {
    const events = answer(
      [
        [{ kind: { case: "text", value: {} } }, text("Hm.")],
        [{ kind: { case: "refusal", value: {} } }, text("No.")],
      ],
      STOP,
    );
    const id = `msg_${SUFFIX}_0`;
    const place = `"item_id":"${id}","output_index":0,"content_index":1`;
    const refusal = frames(
      [
        ["response.content_part.added", `${place},"part":{"type":"refusal","refusal":""}`],
        ["response.refusal.delta", `${place},"delta":"No."`],
        ["response.refusal.done", `${place},"refusal":"No."`],
        ["response.content_part.done", `${place},"part":{"type":"refusal","refusal":"No."}`],
      ],
      7,
    );
    expect(encode(events)).toContain(`\n\n${refusal}event: response.output_item.done\n`);
  });

  it("writes parallel calls of functions and custom tools, byte for byte", () => {
    const events = answer(
      [
        [
          { kind: { case: "toolUse", value: { id: "call_1", name: "f", kind: ToolKind.FUNCTION } } },
          { case: "arguments", value: '{"a"' },
          { case: "arguments", value: ":1}" },
        ],
        [
          { kind: { case: "toolUse", value: { id: "call_2", name: "shell", kind: ToolKind.CUSTOM } } },
          { case: "arguments", value: "ls" },
        ],
      ],
      { reason: FinishReason.TOOL_USE },
    );
    const fc1 = `"item_id":"fc_${SUFFIX}_0","output_index":0`;
    const ctc = `"item_id":"ctc_${SUFFIX}_1","output_index":1`;
    const call = (status: string, args: string) =>
      `{"id":"fc_${SUFFIX}_0","type":"function_call","call_id":"call_1","name":"f","arguments":"${args}","status":"${status}"}`;
    const custom = (status: string, input: string) =>
      `{"id":"ctc_${SUFFIX}_1","type":"custom_tool_call","call_id":"call_2","name":"shell","input":"${input}","status":"${status}"}`;
    const args = '{\\"a\\":1}';
    const completed = resource({
      output: [JSON.parse(call("completed", args)), JSON.parse(custom("completed", "ls"))],
    });
    expect(encode(events)).toBe(
      `${frames([
        ...opening,
        ["response.output_item.added", `"output_index":0,"item":${call("in_progress", "")}`],
        ["response.function_call_arguments.delta", `${fc1},"delta":"{\\"a\\""`],
        ["response.function_call_arguments.delta", `${fc1},"delta":":1}"`],
        ["response.function_call_arguments.done", `${fc1},"name":"f","arguments":"${args}"`],
        ["response.output_item.done", `"output_index":0,"item":${call("completed", args)}`],
        ["response.output_item.added", `"output_index":1,"item":${custom("in_progress", "")}`],
        ["response.custom_tool_call_input.delta", `${ctc},"delta":"ls"`],
        ["response.custom_tool_call_input.done", `${ctc},"input":"ls"`],
        ["response.output_item.done", `"output_index":1,"item":${custom("completed", "ls")}`],
        ["response.completed", `"response":${JSON.stringify(completed)}`],
      ])}data: [DONE]\n\n`,
    );
  });

  it("writes reasoning, its summary and its raw text, byte for byte", () => {
    const events = answer(
      [
        [
          { kind: { case: "thinking", value: { id: "rs_a" } }, itemId: "rs_a" },
          summary(0, "Fir"),
          summary(0, "st"),
          summary(1, "Second"),
          { case: "thinking", value: "Raw" },
          { case: "opaque", value: "gAAA==" },
        ],
      ],
      STOP,
    );
    const place = `"item_id":"rs_a","output_index":0`;
    const part = (words: string) => `"part":{"type":"summary_text","text":"${words}"}`;
    const item =
      '{"id":"rs_a","type":"reasoning","summary":[{"type":"summary_text","text":"First"},' +
      '{"type":"summary_text","text":"Second"}],"content":[{"type":"reasoning_text","text":"Raw"}],' +
      '"encrypted_content":"gAAA=="}';
    expect(encode(events)).toBe(
      `${frames([
        ...opening,
        ["response.output_item.added", `"output_index":0,"item":{"id":"rs_a","type":"reasoning","summary":[]}`],
        ["response.reasoning_summary_part.added", `${place},"summary_index":0,${part("")}`],
        ["response.reasoning_summary_text.delta", `${place},"summary_index":0,"delta":"Fir"`],
        ["response.reasoning_summary_text.delta", `${place},"summary_index":0,"delta":"st"`],
        ["response.reasoning_summary_text.done", `${place},"summary_index":0,"text":"First"`],
        ["response.reasoning_summary_part.done", `${place},"summary_index":0,${part("First")}`],
        ["response.reasoning_summary_part.added", `${place},"summary_index":1,${part("")}`],
        ["response.reasoning_summary_text.delta", `${place},"summary_index":1,"delta":"Second"`],
        ["response.reasoning_summary_text.done", `${place},"summary_index":1,"text":"Second"`],
        ["response.reasoning_summary_part.done", `${place},"summary_index":1,${part("Second")}`],
        ["response.content_part.added", `${place},"content_index":0,"part":{"type":"reasoning_text","text":""}`],
        ["response.reasoning_text.delta", `${place},"content_index":0,"delta":"Raw"`],
        ["response.reasoning_text.done", `${place},"content_index":0,"text":"Raw"`],
        ["response.content_part.done", `${place},"content_index":0,"part":{"type":"reasoning_text","text":"Raw"}`],
        ["response.output_item.done", `"output_index":0,"item":${item}`],
        ["response.completed", `"response":${JSON.stringify(resource({ output: [JSON.parse(item)] }))}`],
      ])}data: [DONE]\n\n`,
    );
  });

  it("passes on a hosted tool's announcement and progress, numbered anew, and ends its item once", () => {
    const item = { type: "web_search_call", id: "ws_1", status: "completed" };
    const events = [
      started(),
      blockStartEvent(0, { kind: { case: "text", value: { text: "Hm." } } }),
      blockEndEvent(0),
      raw({
        type: "response.output_item.added",
        sequence_number: 70,
        output_index: 9,
        item: { type: "web_search_call", id: "ws_1", status: "in_progress" },
      }),
      raw({ type: "response.web_search_call.searching", item_id: "ws_1", output_index: 9, sequence_number: 71 }),
      blockStartEvent(1, { kind: { case: "opaque", value: responses(item) } }),
      blockEndEvent(1),
      raw({ type: "response.later", sequence_number: 80 }),
      finishedEvent(STOP),
    ];
    const written = payloads(encode(events));
    expect(written.map(({ sequence_number }) => sequence_number)).toEqual(written.map((_, n) => n));
    expect(written.slice(7, 13)).toEqual([
      { type: "response.output_item.done", sequence_number: 7, output_index: 0, item: expect.anything() },
      {
        type: "response.output_item.added",
        sequence_number: 8,
        output_index: 1,
        item: { type: "web_search_call", id: "ws_1", status: "in_progress" },
      },
      { type: "response.web_search_call.searching", item_id: "ws_1", output_index: 1, sequence_number: 9 },
      { type: "response.later", sequence_number: 10 },
      { type: "response.output_item.done", sequence_number: 11, output_index: 1, item },
      { type: "response.completed", sequence_number: 12, response: expect.objectContaining({ status: "completed" }) },
    ]);
  });

  it("leaves out raw events of other formats, and names that would break the frame", () => {
    const foreign = create(RawJsonSchema, { dialect: Dialect.MESSAGES, json: '{"type":"ping"}' });
    const events = [
      create(GenerateEventSchema, { event: { case: "raw", value: foreign } }),
      raw({ type: "a\nevent: b" }),
      raw({ note: "no type" }),
    ];
    const encoder = codec.createEventEncoder(request);
    encoder.encode([started()]);
    expect(encoder.encode(events)).toBe("");
  });

  it("writes annotations and logprobs as they come and whole at the end", () => {
    const logprobs = [{ token: "a", logprob: -0.5, bytes: [97], top_logprobs: [] }];
    const annotation = { type: "file_path", file_id: "f", index: 0 };
    const delta = blockDeltaEvent(0, text("a"));
    const tokens = [{ token: "a", logprob: -0.5, bytes: Uint8Array.of(97) }];
    if (delta.event.case === "blockDelta") delta.event.value.logprobs = create(LogprobsSchema, { tokens });
    const opaque = create(AnnotationSchema, { kind: { case: "opaque", value: responses(annotation) } });
    const written = payloads(
      encode([
        started(),
        blockStartEvent(0, { kind: { case: "text", value: {} }, itemId: "msg_a" }),
        delta,
        blockDeltaEvent(0, { case: "annotation", value: opaque }),
        blockEndEvent(0),
        finishedEvent(STOP),
      ]),
    );
    const place = { item_id: "msg_a", output_index: 0, content_index: 0 };
    const part = { type: "output_text", text: "a", annotations: [annotation], logprobs };
    expect(written.slice(4, 8)).toEqual([
      { type: "response.output_text.delta", sequence_number: 4, ...place, delta: "a", logprobs },
      {
        type: "response.output_text.annotation.added",
        sequence_number: 5,
        ...place,
        annotation_index: 0,
        annotation,
      },
      { type: "response.output_text.done", sequence_number: 6, ...place, text: "a", logprobs },
      { type: "response.content_part.done", sequence_number: 7, ...place, part },
    ]);
  });

  it("ends an answer that was cut with response.incomplete and an incomplete item", () => {
    const events = answer([[{ kind: { case: "text", value: {} } }, text("Hal")]], { reason: FinishReason.LENGTH });
    expect(payloads(encode(events)).slice(-2)).toEqual([
      {
        type: "response.output_item.done",
        sequence_number: 7,
        output_index: 0,
        item: expect.objectContaining({ status: "incomplete" }),
      },
      {
        type: "response.incomplete",
        sequence_number: 8,
        response: expect.objectContaining({
          status: "incomplete",
          completed_at: null,
          incomplete_details: { reason: "max_output_tokens" },
          output: [expect.objectContaining({ status: "incomplete" })],
        }),
      },
    ]);
  });

  it("tells a failure by both events that clients know, byte for byte", () => {
    const encoder = codec.createEventEncoder(request);
    const begun = encoder.encode([
      started(),
      blockStartEvent(0, { kind: { case: "text", value: {} }, itemId: "msg_a" }),
      blockDeltaEvent(0, text("Hal")),
    ]);
    const usage = create(UsageSchema, { inputTokens: 3 });
    const error = new InferenceError(ErrorReason.RATE_LIMITED, "too fast", { usage });
    const failed = resource({
      status: "failed",
      completed_at: null,
      error: { code: "rate_limit_exceeded", message: "too fast" },
      output: [
        {
          id: "msg_a",
          type: "message",
          role: "assistant",
          status: "incomplete",
          content: [{ type: "output_text", text: "Hal", annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 3,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 0,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 3,
      },
    });
    expect(payloads(begun)).toHaveLength(5);
    expect(encoder.fail(error, "req-1")).toBe(
      'event: error\ndata: {"type":"error","sequence_number":5,"code":"rate_limit_exceeded","message":"too fast","param":null,' +
        '"error":{"type":"rate_limit_error","code":"rate_limit_exceeded","message":"too fast","param":null}}\n\n' +
        `event: response.failed\ndata: {"type":"response.failed","sequence_number":6,"response":${JSON.stringify(failed)}}\n\n` +
        "data: [DONE]\n\n",
    );
  });

  it("tells a failure that comes before the start", () => {
    const encoder = codec.createEventEncoder(request);
    const written = payloads(
      encoder.fail(new InferenceError(ErrorReason.UPSTREAM_TIMEOUT, "late", { inferenceId: ID }), "req-1"),
    );
    expect(written).toMatchObject([
      { type: "error", sequence_number: 0, error: { type: "server_error", code: "upstream_timeout" } },
      { type: "response.failed", sequence_number: 1, response: { id: ID, error: { code: "server_error" } } },
    ]);
  });

  it("says that it is alive with a comment", () => {
    expect(codec.createEventEncoder(request).heartbeat()).toBe(": keep-alive\n\n");
  });

  it("ends with the object that the whole answer is, whatever the answer and however it is batched", () => {
    const words = fc.array(fc.string({ unit: "binary" }), { maxLength: 4 });
    const itemId = fc.constantFrom("", "a", "b");
    const block = fc.oneof(
      fc.record({ kind: fc.constantFrom("text", "refusal"), words, itemId }),
      fc.record({ kind: fc.constantFrom("thinking", "toolUse"), words, itemId: fc.constant("") }),
    );
    const cuts = fc.integer({ min: 1, max: 5 });
    const reason = fc.constantFrom(FinishReason.STOP, FinishReason.LENGTH, FinishReason.REFUSAL);
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), reason, cuts, (blocks, finish, size) => {
        const events = answer(
          blocks.map(({ kind, words: list, itemId: id }, index) => toBlock(kind, list, { id, index })),
          { reason: finish },
        );
        const encoder = codec.createEventEncoder(request);
        let stream = "";
        for (let at = 0; at < events.length; at += size) stream += encoder.encode(events.slice(at, at + size));
        expect(payloads(stream).at(-1)?.response).toEqual(respond(events));
      }),
    );
  });
});

function toBlock(
  kind: string,
  words: readonly string[],
  { id: itemId, index }: { id: string; index: number },
): Parameters<typeof answer>[0][number] {
  if (kind === "toolUse") {
    const value = { id: `call_${index}`, name: "f", kind: ToolKind.FUNCTION };
    return [{ kind: { case: "toolUse", value } }, ...words.map((value) => ({ case: "arguments", value }) as const)];
  }
  if (kind === "thinking") {
    return [{ kind: { case: "thinking", value: {} } }, ...words.map((value, part) => summary(part % 2, value))];
  }
  return [{ kind: { case: kind === "text" ? "text" : "refusal", value: {} }, itemId }, ...words.map(text)];
}
