import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, RawJsonSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  BlockEndSchema,
  FinishReason,
  type GenerateEvent,
  GenerateEventSchema,
  SummaryDeltaSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventEncoder } from "../../../../src/formats/messages/answer/encode-events.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  finishedEvent,
  startedEvent,
} from "../../../../src/hub/events.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { ID, toolAnswer } from "../request/answer.ts";

const asked = { input: createHubInput({ messages: [{ content: [textBlock("Say hello")] }] }) };
const encode = (events: readonly GenerateEvent[]) => createEventEncoder(asked).encode(events);
const frame = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`;
const rawJson = (json: string, dialect: Dialect = Dialect.MESSAGES) => create(RawJsonSchema, { dialect, json });
function textBlock(text: string) {
  return { kind: { case: "text", value: { text } } } as const;
}
const start = (index: number, block: string) =>
  frame("content_block_start", `{"type":"content_block_start","index":${index},"content_block":${block}}`);
const delta = (index: number, body: string) =>
  frame("content_block_delta", `{"type":"content_block_delta","index":${index},"delta":${body}}`);
const stop = (index: number) => frame("content_block_stop", `{"type":"content_block_stop","index":${index}}`);

describe("createEventEncoder()", () => {
  it("writes thinking, text and two calls as the format has them", () => {
    expect(encode(toolAnswer())).toBe(
      `event: message_start
data: {"type":"message_start","id":"${ID}","message":{"id":"${ID}","type":"message","role":"assistant","model":"attune/m","content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":1,"output_tokens_details":null,"server_tool_use":null,"service_tier":null,"speed":null,"inference_geo":null}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Two "}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"cities."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2lnbmF0dXJl"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I look \\"both\\" up 🌦"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":".\\n"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{},"caller":{"type":"direct"}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"city\\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\\"Paris\\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: content_block_start
data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_2","name":"get_time","input":{},"caller":{"type":"direct"}}}

event: content_block_stop
data: {"type":"content_block_stop","index":3}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null,"stop_details":null,"container":null},"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":5,"output_tokens":40,"output_tokens_details":{"thinking_tokens":9},"server_tool_use":null}}

event: message_stop
data: {"type":"message_stop"}

`,
    );
  });

  it("writes the same bytes however the events are batched", () => {
    const encoder = createEventEncoder(asked);
    const pieces = toolAnswer().map((event) => encoder.encode([event]));
    expect(pieces.join("")).toBe(encode(toolAnswer()));
  });

  it("estimates the prompt of 9 characters while the upstream has not counted it", () => {
    const text = encode([startedEvent({ id: ID, model: "m" })]);
    expect(text).toContain('"usage":{"input_tokens":6,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,');
  });

  it("estimates nothing of a prompt that came from the cache as a whole", () => {
    const text = encode([startedEvent({ id: ID, model: "m", usage: { cacheReadTokens: 7 } })]);
    expect(text).toContain('"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":7,');
  });

  it("leaves the estimate standing at the end if the upstream never counts", () => {
    const text = encode([finishedEvent({ reason: FinishReason.STOP })]);
    expect(text).toBe(
      frame(
        "message_delta",
        '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,"container":null},"usage":{"input_tokens":null,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,"output_tokens":0,"output_tokens_details":null,"server_tool_use":null}}',
      ) + frame("message_stop", '{"type":"message_stop"}'),
    );
  });

  it("joins the parts of a summary, and leaves raw reasoning out beside it", () => {
    const summary = (part: number, text: string) =>
      blockDeltaEvent(0, { case: "summary", value: create(SummaryDeltaSchema, { part, text }) });
    const text = encode([
      blockStartEvent(0, { kind: { case: "thinking", value: { summary: ["One."], opaque: "sig" } } }),
      summary(0, " More."),
      blockDeltaEvent(0, { case: "thinking", value: "raw" }),
      summary(1, "Two."),
      blockEndEvent(0),
    ]);
    expect(text).toBe(
      start(0, '{"type":"thinking","thinking":"","signature":""}') +
        delta(0, '{"type":"thinking_delta","thinking":"One."}') +
        delta(0, '{"type":"thinking_delta","thinking":" More."}') +
        delta(0, '{"type":"thinking_delta","thinking":"\\n\\nTwo."}') +
        delta(0, '{"type":"signature_delta","signature":"sig"}') +
        stop(0),
    );
  });

  it("writes raw reasoning without a signature", () => {
    const text = encode([
      blockStartEvent(0, { kind: { case: "thinking", value: {} } }),
      blockDeltaEvent(0, { case: "thinking", value: "Hm." }),
      blockEndEvent(0),
    ]);
    expect(text).toBe(
      start(0, '{"type":"thinking","thinking":"","signature":""}') +
        delta(0, '{"type":"thinking_delta","thinking":"Hm."}') +
        stop(0),
    );
  });

  it("writes redacted thinking whole, a refusal as text, and what a block starts with as its first delta", () => {
    const text = encode([
      blockStartEvent(0, { kind: { case: "redactedThinking", value: { data: "ZGF0YQ==" } } }),
      blockEndEvent(0),
      blockStartEvent(1, { kind: { case: "refusal", value: { text: "I can't" } } }),
      blockDeltaEvent(1, { case: "text", value: " do that." }),
      blockEndEvent(1),
      blockStartEvent(2, { kind: { case: "toolUse", value: { id: "t", name: "f", arguments: "{}" } } }),
      blockEndEvent(2),
    ]);
    expect(text).toBe(
      start(0, '{"type":"redacted_thinking","data":"ZGF0YQ=="}') +
        stop(0) +
        start(1, '{"type":"text","text":""}') +
        delta(1, '{"type":"text_delta","text":"I can\'t"}') +
        delta(1, '{"type":"text_delta","text":" do that."}') +
        stop(1) +
        start(2, '{"type":"tool_use","id":"t","name":"f","input":{},"caller":{"type":"direct"}}') +
        delta(2, '{"type":"input_json_delta","partial_json":"{}"}') +
        stop(2),
    );
  });

  it.each([
    ["text that is no JSON", ["city", "=Oslo"], []],
    ["an array", [" ", "[1]"], [" "]],
    ["an object behind white space", ["\n", '{"a"', ":1}"], ["\n", '{"a"', ":1}"]],
  ])("lets %s be an input only if it begins as an object", (_what, pieces, sent) => {
    const call = { kind: { case: "toolUse", value: { id: "t", name: "f" } } } as const;
    const deltas = pieces.map((value) => blockDeltaEvent(0, { case: "arguments", value }));
    expect(encode([blockStartEvent(0, call), ...deltas, blockEndEvent(0)])).toBe(
      start(0, '{"type":"tool_use","id":"t","name":"f","input":{},"caller":{"type":"direct"}}') +
        sent.map((text) => delta(0, `{"type":"input_json_delta","partial_json":${JSON.stringify(text)}}`)).join("") +
        stop(0),
    );
  });

  it("passes on what only this format knows, and skips what only another one does", () => {
    const end = create(BlockEndSchema, { index: 1, extension: rawJson('{"input":{"q":1}}') });
    const text = encode([
      blockStartEvent(0, { kind: { case: "opaque", value: rawJson('{"type":"web_search_call"}', Dialect.RESPONSES) } }),
      blockEndEvent(0),
      blockStartEvent(1, {
        kind: { case: "opaque", value: rawJson('{"type":"server_tool_use","id":"srv","input":{}}') },
      }),
      create(GenerateEventSchema, { event: { case: "raw", value: rawJson('{"type":"new_event","a":1}') } }),
      create(GenerateEventSchema, { event: { case: "raw", value: rawJson('{"type":"x"}', Dialect.CHAT) } }),
      create(GenerateEventSchema, { event: { case: "blockEnd", value: end } }),
      blockStartEvent(2, { kind: { case: "text", value: {} } }),
      blockDeltaEvent(2, { case: "raw", value: rawJson('{"citations":[{"cited_text":"a"},{"cited_text":"b"}]}') }),
      blockDeltaEvent(2, { case: "raw", value: rawJson('{"annotations":[{}]}', Dialect.RESPONSES) }),
      blockEndEvent(2),
    ]);
    expect(text).toBe(
      start(0, '{"type":"server_tool_use","id":"srv","input":{}}') +
        frame("new_event", '{"type":"new_event","a":1}') +
        stop(0) +
        start(1, '{"type":"text","text":""}') +
        delta(1, '{"type":"citations_delta","citation":{"cited_text":"a"}}') +
        delta(1, '{"type":"citations_delta","citation":{"cited_text":"b"}}') +
        stop(1),
    );
  });

  it("ends with the stop sequence, and with members that only this format knows", () => {
    const text = encode([
      finishedEvent({
        reason: FinishReason.STOP_SEQUENCE,
        stopSequence: "END",
        usage: { outputTokens: 3, extension: rawJson('{"server_tool_use":{"web_search_requests":1}}') },
        extension: rawJson('{"container":{"id":"c"},"context_management":{"applied_edits":[]}}'),
      }),
    ]);
    expect(text).toBe(
      frame(
        "message_delta",
        '{"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"END","stop_details":null,"container":{"id":"c"}},"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":3,"output_tokens_details":null,"server_tool_use":{"web_search_requests":1}},"context_management":{"applied_edits":[]}}',
      ) + frame("message_stop", '{"type":"message_stop"}'),
    );
  });

  it("tells of a failure inside the stream", () => {
    const error = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "Overloaded");
    expect(createEventEncoder(asked).fail(error, "req-1")).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req-1"}\n\n',
    );
  });

  it("says that it is alive by a ping", () => {
    expect(createEventEncoder(asked).heartbeat()).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });
});
