import { toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  type GenerateEvent,
  GenerateEventSchema,
  GenerateResponseSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventDecoder } from "../../../../src/formats/messages/answer/decode-events.ts";
import { createEventEncoder } from "../../../../src/formats/messages/answer/encode-events.ts";
import { encodeResponse } from "../../../../src/formats/messages/answer/encode-response.ts";
import { createSseReader } from "../../../../src/formats/shared/sse.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { createOrderCheck } from "../../../../src/inference/checks/check-stream.ts";
import { ResponseFold } from "../../../../src/inference/checks/response-fold.ts";

const START =
  '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":7,"cache_read_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4},"output_tokens":1,"output_tokens_details":null,"server_tool_use":null,"service_tier":"standard","speed":null,"inference_geo":"us"}}}';
const END =
  '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,"container":null},"usage":{"input_tokens":null,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,"output_tokens":42,"output_tokens_details":{"thinking_tokens":9},"server_tool_use":null}}';
const STOP = '{"type":"message_stop"}';
const startBlock = (index: number, block: string) =>
  `{"type":"content_block_start","index":${index},"content_block":${block}}`;
const delta = (index: number, body: string) => `{"type":"content_block_delta","index":${index},"delta":${body}}`;
const stopBlock = (index: number) => `{"type":"content_block_stop","index":${index}}`;

/** A stream with the given events between its start and its end, as bytes. */
function streamOf(...events: string[]): Uint8Array {
  const frames = [START, '{"type":"ping"}', ...events, END, STOP].map((data) => {
    const { type } = JSON.parse(data);
    return `event: ${type}\ndata: ${data}\n\n`;
  });
  return new TextEncoder().encode(frames.join(""));
}

function decode(...chunks: Uint8Array[]): GenerateEvent[] {
  const reader = createSseReader();
  const decoder = createEventDecoder(Dialect.MESSAGES);
  const events = chunks.flatMap((chunk) => reader.read(chunk).flatMap((message) => decoder.decode(message)));
  return [...events, ...decoder.close()];
}

/** The answer to a caller of another format, as blocks in the hub's own JSON, and what else is told of its end. */
function refused(stopDetails: string): unknown {
  const decoder = createEventDecoder(Dialect.CHAT);
  const fold = new ResponseFold();
  const end = `{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":${stopDetails}},"usage":{"output_tokens":3}}`;
  const text = [
    startBlock(0, '{"type":"text","text":""}'),
    delta(0, '{"type":"text_delta","text":"Well"}'),
    stopBlock(0),
  ];
  for (const data of [START, ...text, end, STOP]) {
    for (const event of decoder.decode({ event: undefined, data })) fold.add(event);
  }
  const { content, finished } = toJson(GenerateResponseSchema, fold.response) as Record<string, unknown>;
  const { extension } = finished as { extension?: { json: string } };
  return { content, extension: extension?.json };
}

const toJsons = (events: readonly GenerateEvent[]) => events.map((event) => toJson(GenerateEventSchema, event));
const decodeData = (...data: string[]) => {
  const decoder = createEventDecoder(Dialect.MESSAGES);
  return data.flatMap((text) => decoder.decode({ event: undefined, data: text }));
};

function failure(run: () => unknown): InferenceError {
  try {
    run();
  } catch (thrown) {
    return InferenceError.from(thrown);
  }
  throw new Error("nothing was thrown");
}

const STARTED = {
  started: {
    serving: { upstreamModel: "claude-x" },
    usage: {
      inputTokens: 10,
      cacheReadTokens: 5,
      cacheWriteTokens: 7,
      cacheWrite5mTokens: 3,
      cacheWrite1hTokens: 4,
      outputTokens: 1,
      extension: { dialect: "DIALECT_MESSAGES", json: '{"service_tier":"standard","inference_geo":"us"}' },
      billing: { region: "us" },
    },
  },
};
const FINISHED = {
  finished: {
    reason: "FINISH_REASON_STOP",
    rawReason: "end_turn",
    usage: { ...STARTED.started.usage, outputTokens: 42, reasoningTokens: 9 },
  },
};
const rawJson = (json: string) => ({ dialect: "DIALECT_MESSAGES", json });

const FULL = [
  startBlock(0, '{"type":"thinking","thinking":"","signature":""}'),
  delta(0, '{"type":"thinking_delta","thinking":"Hm, "}'),
  delta(0, '{"type":"thinking_delta","thinking":"so."}'),
  delta(0, '{"type":"signature_delta","signature":"c2ln"}'),
  stopBlock(0),
  startBlock(1, '{"type":"redacted_thinking","data":"ZGF0YQ=="}'),
  stopBlock(1),
  startBlock(2, '{"type":"text","text":"","citations":null}'),
  delta(2, '{"type":"text_delta","text":"Wetter: 🌦 "}'),
  delta(2, '{"type":"citations_delta","citation":{"type":"char_location","cited_text":"é"}}'),
  delta(2, '{"type":"text_delta","text":"日本"}'),
  stopBlock(2),
  startBlock(3, '{"type":"tool_use","id":"toolu_1","name":"f","input":{},"caller":{"type":"direct"}}'),
  delta(3, '{"type":"input_json_delta","partial_json":""}'),
  delta(3, '{"type":"input_json_delta","partial_json":"{\\"n\\": 9007199254740993"}'),
  delta(3, '{"type":"input_json_delta","partial_json":"}"}'),
  stopBlock(3),
  startBlock(4, '{"type":"tool_use","id":"toolu_2","name":"g","input":{}}'),
  stopBlock(4),
];

const FULL_DECODED = [
  STARTED,
  { blockStart: { block: { thinking: {} } } },
  { blockDelta: { summary: { text: "Hm, " } } },
  { blockDelta: { summary: { text: "so." } } },
  { blockDelta: { opaque: "c2ln" } },
  { blockEnd: {} },
  { blockStart: { index: 1, block: { redactedThinking: { data: "ZGF0YQ==" } } } },
  { blockEnd: { index: 1 } },
  { blockStart: { index: 2, block: { text: {} } } },
  { blockDelta: { index: 2, text: "Wetter: 🌦 " } },
  { blockDelta: { index: 2, raw: rawJson('{"citations":[{"type":"char_location","cited_text":"é"}]}') } },
  { blockDelta: { index: 2, text: "日本" } },
  { blockEnd: { index: 2 } },
  {
    blockStart: {
      index: 3,
      block: {
        toolUse: { id: "toolu_1", name: "f", kind: "TOOL_KIND_FUNCTION" },
        extension: rawJson('{"caller":{"type":"direct"}}'),
      },
    },
  },
  { blockDelta: { index: 3, arguments: '{"n": 9007199254740993' } },
  { blockDelta: { index: 3, arguments: "}" } },
  { blockEnd: { index: 3 } },
  { blockStart: { index: 4, block: { toolUse: { id: "toolu_2", name: "g", kind: "TOOL_KIND_FUNCTION" } } } },
  { blockDelta: { index: 4, arguments: "{}" } },
  { blockEnd: { index: 4 } },
  { finished: { ...FINISHED.finished, reason: "FINISH_REASON_TOOL_USE" } },
];

describe("createEventDecoder(): refusals, for callers of another format", () => {
  const text = { text: { text: "Well" } };

  it("makes the explanation a refusal in words, and leaves the rest of the details", () => {
    expect(refused('{"type":"refusal","category":"cyber","explanation":"No."}')).toEqual({
      content: [text, { refusal: { text: "No." } }],
      extension: '{"stop_details":{"type":"refusal","category":"cyber"}}',
    });
  });

  it.each([
    '{"type":"refusal","category":"cyber","explanation":null}',
    '{"type":"other","explanation":"No."}',
    '"No."',
  ])("leaves %s as it is", (details) => {
    expect(refused(details)).toEqual({ content: [text], extension: `{"stop_details":${details}}` });
  });
});

describe("createEventDecoder()", () => {
  it("decodes thinking, redacted thinking, text with a citation, and calls", () => {
    expect(toJsons(decode(streamOf(...FULL)))).toEqual(FULL_DECODED);
  });

  it("decodes alike however the bytes are split", () => {
    const bytes = streamOf(...FULL);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 40 }), (cuts) => {
        const bounds = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
        expect(toJsons(decode(...chunks))).toEqual(FULL_DECODED);
      }),
    );
  });

  it("keeps to the order that the service checks", () => {
    const check = createOrderCheck();
    const events = decode(streamOf(...FULL));
    expect(() => {
      for (const event of events) check(event);
    }).not.toThrow();
  });

  it("keeps blocks and deltas that the hub does not know, in the stream and in the whole answer", () => {
    const events = decode(
      streamOf(
        startBlock(0, '{"type":"server_tool_use","id":"srv","name":"web_search","input":{}}'),
        delta(0, '{"type":"input_json_delta","partial_json":"{\\"query\\":"}'),
        delta(0, '{"type":"input_json_delta","partial_json":"\\"x\\"}"}'),
        stopBlock(0),
        startBlock(1, '{"type":"compaction","content":null,"encrypted_content":null}'),
        delta(1, '{"type":"compaction_delta","content":"sum","encrypted_content":"ZW5j"}'),
        stopBlock(1),
        startBlock(2, '{"type":"thinking","thinking":"","signature":""}'),
        delta(2, '{"type":"thinking_delta","thinking":"Hm.","estimated_tokens":5}'),
        delta(2, '{"type":"new_delta","x":1}'),
        stopBlock(2),
        '{"type":"new_event","y":2}',
      ),
    );
    expect(toJsons(events)).toEqual([
      STARTED,
      {
        blockStart: {
          block: { opaque: rawJson('{"type":"server_tool_use","id":"srv","name":"web_search","input":{}}') },
        },
      },
      { raw: rawJson(delta(0, '{"type":"input_json_delta","partial_json":"{\\"query\\":"}')) },
      { raw: rawJson(delta(0, '{"type":"input_json_delta","partial_json":"\\"x\\"}"}')) },
      { blockEnd: { extension: rawJson('{"input":{"query":"x"}}') } },
      {
        blockStart: {
          index: 1,
          block: { opaque: rawJson('{"type":"compaction","content":null,"encrypted_content":null}') },
        },
      },
      { raw: rawJson(delta(1, '{"type":"compaction_delta","content":"sum","encrypted_content":"ZW5j"}')) },
      { blockEnd: { index: 1, extension: rawJson('{"content":"sum","encrypted_content":"ZW5j"}') } },
      { blockStart: { index: 2, block: { thinking: {} } } },
      { blockDelta: { index: 2, summary: { text: "Hm." } } },
      { raw: rawJson(delta(2, '{"type":"thinking_delta","thinking":"","estimated_tokens":5}')) },
      { raw: rawJson(delta(2, '{"type":"new_delta","x":1}')) },
      { blockDelta: { index: 2, opaque: "" } },
      { blockEnd: { index: 2 } },
      { raw: rawJson('{"type":"new_event","y":2}') },
      FINISHED,
    ]);
    const folded = new ResponseFold();
    for (const event of events) folded.add(event);
    expect(JSON.parse(encodeResponse(folded.response)).content).toEqual([
      { type: "server_tool_use", id: "srv", name: "web_search", input: { query: "x" } },
      { type: "compaction", content: "sum", encrypted_content: "ZW5j" },
      { type: "thinking", thinking: "Hm.", signature: "" },
    ]);
  });

  it("gives a stream of the same format back as it came, but for the id", () => {
    const block = [
      startBlock(0, '{"type":"text","text":""}'),
      delta(0, '{"type":"text_delta","text":"Hi"}'),
      delta(0, '{"type":"citations_delta","citation":{"cited_text":"x"}}'),
      stopBlock(0),
      startBlock(1, '{"type":"server_tool_use","id":"srv","name":"web_search","input":{}}'),
      delta(1, '{"type":"input_json_delta","partial_json":"{}"}'),
      stopBlock(1),
    ];
    const text = createEventEncoder({ input: createHubInput() }).encode(decode(streamOf(...block)));
    const data = text.split("\n\n").flatMap((frame) => frame.split("\ndata: ")[1] ?? []);
    expect(data.slice(1, -2)).toEqual(block);
  });

  it("gathers what the end of the message says", () => {
    const events = decodeData(
      START,
      '{"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"END","stop_details":{"type":"refusal"},"container":{"id":"c"}},"usage":{"input_tokens":20,"output_tokens":3,"server_tool_use":{"web_search_requests":1}},"context_management":{"applied_edits":[]}}',
      STOP,
    );
    expect(toJsons(events)[1]).toEqual({
      finished: {
        reason: "FINISH_REASON_STOP_SEQUENCE",
        rawReason: "stop_sequence",
        stopSequence: "END",
        usage: {
          ...STARTED.started.usage,
          inputTokens: 20,
          outputTokens: 3,
          extension: rawJson(
            '{"service_tier":"standard","inference_geo":"us","server_tool_use":{"web_search_requests":1}}',
          ),
          billing: { region: "us", toolCalls: { web_search: 1 } },
        },
        extension: rawJson(
          '{"stop_details":{"type":"refusal"},"container":{"id":"c"},"context_management":{"applied_edits":[]}}',
        ),
      },
    });
  });

  it("takes text, input and a signature that stand in a block's start", () => {
    const events = decodeData(
      START,
      startBlock(0, '{"type":"text","text":"Hi"}'),
      startBlock(1, '{"type":"tool_use","id":"t","name":"f","input":{"a":1}}'),
      stopBlock(1),
      startBlock(2, '{"type":"thinking","thinking":"Hm","signature":"s"}'),
      STOP,
    );
    expect(toJsons(events).slice(1, -1)).toEqual([
      { blockStart: { block: { text: {} } } },
      { blockDelta: { text: "Hi" } },
      { blockEnd: {} },
      { blockStart: { index: 1, block: { toolUse: { id: "t", name: "f", kind: "TOOL_KIND_FUNCTION" } } } },
      { blockDelta: { index: 1, arguments: '{"a":1}' } },
      { blockEnd: { index: 1 } },
      { blockStart: { index: 2, block: { thinking: {} } } },
      { blockDelta: { index: 2, summary: { text: "Hm" } } },
      { blockDelta: { index: 2, opaque: "s" } },
      { blockEnd: { index: 2 } },
    ]);
  });

  it("puts blocks that overlap in order", () => {
    const call = (index: number, id: string) =>
      startBlock(index, `{"type":"tool_use","id":"${id}","name":"f","input":{}}`);
    const grow = (index: number, text: string) =>
      delta(index, `{"type":"input_json_delta","partial_json":${JSON.stringify(text)}}`);
    const mixed = [
      call(0, "a"),
      call(1, "b"),
      grow(0, "{"),
      grow(1, '{"b"'),
      startBlock(2, '{"type":"text","text":""}'),
    ];
    const rest = [grow(0, "}"), delta(2, '{"type":"text_delta","text":"so"}'), stopBlock(1), stopBlock(0)];
    const events = decodeData(START, ...mixed, ...rest, grow(7, ""), stopBlock(2), STOP);
    expect(toJsons(events).slice(1, -1)).toEqual([
      { blockStart: { block: { toolUse: { id: "a", name: "f", kind: "TOOL_KIND_FUNCTION" } } } },
      { blockDelta: { arguments: "{" } },
      { blockDelta: { arguments: "}" } },
      { blockEnd: {} },
      { blockStart: { index: 1, block: { toolUse: { id: "b", name: "f", kind: "TOOL_KIND_FUNCTION" } } } },
      { blockDelta: { index: 1, arguments: '{"b"' } },
      { blockEnd: { index: 1 } },
      { blockStart: { index: 2, block: { text: {} } } },
      { blockDelta: { index: 2, text: "so" } },
      {
        raw: rawJson('{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}'),
      },
      { blockEnd: { index: 2 } },
    ]);
  });

  it("ends blocks that the upstream left open", () => {
    const events = decodeData(
      START,
      startBlock(0, '{"type":"text","text":"a"}'),
      startBlock(1, '{"type":"odd"}'),
      STOP,
    );
    const kinds = events.map(({ event }) => event.case);
    expect(kinds).toEqual([
      ...["started", "blockStart", "blockDelta", "blockEnd", "blockStart", "blockEnd", "finished"],
    ]);
  });

  const stopped = (word: string) =>
    `{"type":"message_delta","delta":{"stop_reason":${JSON.stringify(word)}},"usage":{"output_tokens":1}}`;
  const use = '{"type":"tool_use","id":"t","name":"f","input":{}}';
  it.each([
    ["end_turn", use, "FINISH_REASON_TOOL_USE", "FINISH_REASON_TOOL_USE"],
    ["", use, "FINISH_REASON_TOOL_USE", "FINISH_REASON_TOOL_USE"],
    ["max_tokens", use, "FINISH_REASON_LENGTH", "FINISH_REASON_LENGTH"],
    ["tool_use", '{"type":"text","text":"no"}', "FINISH_REASON_STOP", "FINISH_REASON_STOP"],
    // It may be a call of a kind that only callers of this format know.
    ["tool_use", '{"type":"new_use","id":"t"}', "FINISH_REASON_TOOL_USE", "FINISH_REASON_STOP"],
  ])("reads %s beside %s", (word, block, native, other) => {
    const reasons = [Dialect.MESSAGES, Dialect.CHAT].map((caller) => {
      const decoder = createEventDecoder(caller);
      const data = [START, startBlock(0, block), stopBlock(0), stopped(word), STOP];
      const last = data.flatMap((text) => decoder.decode({ event: undefined, data: text })).at(-1);
      return toJsons(last === undefined ? [] : [last])[0];
    });
    const finished = (reason: string) => ({ finished: expect.objectContaining({ reason }) });
    expect(reasons).toEqual([finished(native), finished(other)]);
  });

  it.each([
    ["no input", '"input":null', undefined],
    ["a blank text for an input", '"input":""', undefined],
    ["blank deltas", '"input":{}', " "],
  ])("makes {} of %s", (_name, input, piece) => {
    const grown = piece === undefined ? [] : [delta(0, `{"type":"input_json_delta","partial_json":"${piece}"}`)];
    const start = startBlock(0, `{"type":"tool_use","id":"t","name":"f",${input}}`);
    const texts = decodeData(START, start, ...grown, stopBlock(0)).flatMap(({ event }) =>
      event.case === "blockDelta" && event.value.delta.case === "arguments" ? [event.value.delta.value] : [],
    );
    expect(JSON.parse(texts.join(""))).toEqual({});
  });

  it("tells an unknown event that comes before the start after it", () => {
    const events = toJsons(decodeData('{"type":"hello"}', START));
    expect(events).toEqual([STARTED, { raw: rawJson('{"type":"hello"}') }]);
  });

  it("skips the end mark of Chat Completions and whatever follows the end", () => {
    expect(decodeData(START, END, STOP, "[DONE]", '{"type":"late"}')).toHaveLength(2);
  });

  it("ends where the stream does behind the reason", () => {
    const decoder = createEventDecoder(Dialect.MESSAGES);
    for (const data of [START, startBlock(0, '{"type":"text","text":"a"}'), stopBlock(0), END])
      decoder.decode({ event: undefined, data });
    const [last] = decoder.close().slice(-1);
    expect(last?.event.value).toMatchObject({ rawReason: "end_turn", usage: { inputTokens: 10, outputTokens: 42 } });
  });

  it("reads the content of a start that has all of it", () => {
    const content = '[{"type":"text","text":"ab"},{"type":"tool_use","id":"t","name":"f","input":{"q":1}}]';
    const told = START.replace('"content":[]', `"content":${content}`).replace(
      '"stop_reason":null',
      '"stop_reason":"tool_use"',
    );
    const fold = new ResponseFold();
    for (const event of decodeData(told.replace('"output_tokens":1,', '"output_tokens":9,'), STOP)) fold.add(event);
    expect(toJson(GenerateResponseSchema, fold.response)).toMatchObject({
      content: [{ text: { text: "ab" } }, { toolUse: { id: "t", arguments: '{"q":1}' } }],
      finished: { reason: "FINISH_REASON_TOOL_USE", usage: { outputTokens: 9 } },
    });
  });

  it("keeps the prompt of the start where zeros are filled in at the end", () => {
    const end = (counts: string) =>
      END.replace('"input_tokens":null,"cache_creation_input_tokens":null,"cache_read_input_tokens":null', counts);
    const last = (counts: string) => decodeData(START, end(counts), STOP).at(-1)?.event.value;
    const zeros = '"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0';
    expect(last(zeros)).toMatchObject({ usage: { inputTokens: 10, cacheWriteTokens: 7, cacheReadTokens: 5 } });
    // All of it was read from a cache after all.
    const read = '"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":22';
    expect(last(read)).toMatchObject({ usage: { inputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 22 } });
  });

  it("fails when the stream ends early, without the start's placeholder as what was spent", () => {
    const decoder = createEventDecoder(Dialect.MESSAGES);
    decoder.decode({ event: "message_start", data: START });
    const error = failure(() => decoder.close());
    expect(error.reason).toBe(ErrorReason.STREAM_INTERRUPTED);
    expect(error.facts.usage).toBeUndefined();
  });

  it("turns an error event into a failure, with what was spent where that was told", () => {
    const data = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_9"}';
    const error = failure(() => decodeData(START, data));
    expect({ reason: error.reason, message: error.message, retryable: error.retryable }).toEqual({
      reason: ErrorReason.UPSTREAM_OVERLOADED,
      message: "Overloaded",
      retryable: true,
    });
    expect(error.facts).toMatchObject({ upstreamCode: "overloaded_error", upstreamRequestId: "req_9" });
    expect(error.facts.usage).toBeUndefined();
    const told = failure(() =>
      decodeData(START, '{"type":"message_delta","delta":{},"usage":{"output_tokens":12}}', data),
    );
    expect(told.facts.usage).toMatchObject({ inputTokens: 10, cacheWriteTokens: 7, outputTokens: 12 });
  });

  it.each([
    ["text that is not JSON", ["{"], "an event is not a JSON object"],
    ["a block before the start", [startBlock(0, '{"type":"text"}')], "a block before message_start"],
    ["a delta outside of a block", [START, delta(0, "{}")], "content_block_delta outside of a block"],
    ["an end outside of a block", [START, stopBlock(0)], "content_block_stop outside of a block"],
    ["a second start", [START, startBlock(0, '{"type":"text"}'), START], "a second message_start"],
    ["an end before the start", [STOP], "message_stop before message_start"],
    ["a start without a message", ['{"type":"message_start"}'], "message is not an object"],
  ])("refuses %s", (_what, data, problem) => {
    const error = failure(() => decodeData(...data));
    expect({ reason: error.reason, message: error.message }).toEqual({
      reason: ErrorReason.STREAM_INTERRUPTED,
      message: `the upstream's answer broke its format: ${problem}`,
    });
  });
});
