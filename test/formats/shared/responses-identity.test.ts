import fc from "fast-check";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { createResponsesCodec } from "../../../src/formats/responses/codec.ts";
import { openaiResponsesProtocol } from "../../../src/formats/responses/protocol.ts";
import type { JsonObject } from "../../../src/formats/shared/json.ts";
import type { UpstreamTarget } from "../../../src/hub/upstream.ts";
import { ResponseFold } from "../../../src/inference/checks/response-fold.ts";
import { asSent } from "./as-sent.ts";

const ID = "0199c0de-0000-7000-8000-00000000abcd";
const codec = createResponsesCodec(() => 1_800_000_005_000);

const target: UpstreamTarget = {
  model: {
    name: "m",
    displayName: "M",
    family: "responses",
    purpose: "",
    contextWindow: 1000,
    maxOutputTokens: 100,
    minCacheableTokens: 0,
    createdAt: new Date(0),
    deployments: [],
  },
  deployment: { upstream: "openai", model: "m" },
  streamed: true,
  inferenceId: ID,
  projectId: "p",
};

/** What an upstream of this format gets of a request in this format. */
function through(body: JsonObject): JsonObject {
  const { body: sent, losses } = asSent(openaiResponsesProtocol.encodeRequest(codec.decodeRequest(body).input, target));
  expect(losses).toEqual([]);
  return JSON.parse(sent);
}

const text = fc.string({ unit: "binary" });
const id = fc.string({ minLength: 1, maxLength: 12 });
const mark = fc.constantFrom({}, { prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } });
const more = fc.constantFrom({}, { status: "completed" }, { x_new: { a: [1, null] } });

const inputPart = fc
  .tuple(
    fc.oneof(
      fc.record({ type: fc.constant("input_text"), text }),
      fc.constant({ type: "input_image", detail: "high", image_url: "https://a/b.png" }),
      fc.constant({ type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" }),
      fc.constant({ type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" }),
      fc.constant({ type: "input_file", file_data: "JVBERi0=" }),
      fc.constant({ type: "input_file", file_url: "https://a/b.pdf", detail: "low" }),
      fc.constant({ type: "input_file", file_id: "file-1" }),
      fc.constant({ type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } }),
      fc.constant({ type: "input_audio", input_audio: { data: "UklGRg==", format: "wav", channels: 2 } }),
    ),
    mark,
  )
  .map(([part, breakpoint]) => ({ ...part, ...breakpoint }));

const outputPart = fc.oneof(
  fc.record({ type: fc.constant("output_text"), text, annotations: fc.constantFrom([], [{ type: "file_path" }]) }),
  fc.record({ type: fc.constant("refusal"), refusal: text }),
);

const item = fc.oneof(
  fc.record({ type: fc.constant("message"), role: fc.constantFrom("user", "system", "developer"), content: text }),
  fc.record({
    type: fc.constant("message"),
    role: fc.constantFrom("user", "system", "developer"),
    // One plain text is written as a string, which is the same.
    content: fc.array(inputPart, { minLength: 2, maxLength: 4 }),
  }),
  fc
    .record({
      type: fc.constant("message"),
      id,
      role: fc.constant("assistant"),
      phase: fc.constantFrom("commentary", "final_answer"),
      content: fc.array(outputPart, { maxLength: 3 }),
    })
    .map((message) => ({ ...message, status: "completed" })),
  fc
    // Blank arguments become {}.
    .tuple(
      fc.record({
        type: fc.constant("function_call"),
        id,
        call_id: id,
        name: id,
        arguments: text.filter((value) => value.trim() !== ""),
      }),
      more,
    )
    .map(([call, extra]) => ({ ...call, ...extra })),
  fc.record({ type: fc.constant("custom_tool_call"), call_id: id, name: id, input: text }),
  fc.record({ type: fc.constant("function_call_output"), call_id: id, output: text }),
  fc.record({
    type: fc.constant("custom_tool_call_output"),
    call_id: id,
    output: fc.array(inputPart, { minLength: 2, maxLength: 3 }),
  }),
  fc.record({ summary: fc.array(text, { maxLength: 2 }), id, encrypted_content: text }).map(({ summary, ...rest }) => ({
    type: "reasoning",
    ...rest,
    summary: summary.map((part) => ({ type: "summary_text", text: part })),
  })),
  fc.constant({ type: "item_reference", id: "msg_1" }),
  fc.constant({ type: "compaction", id: "cmp_1", encrypted_content: "gAAA" }),
  fc.constant({ type: "computer_call", id: "cu_1", call_id: "c", action: { type: "wait" }, status: null }),
);

describe("Responses through the hub to Responses", () => {
  it("gives every item back as it was, in its order", () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 6 }), (input) => {
        expect(through({ model: "m", input })).toEqual({ model: "m", input, stream: true });
      }),
    );
  });

  it("gives every parameter back as it was", () => {
    const body = {
      model: "m",
      input: [{ type: "message", role: "user", content: "Hello" }],
      instructions: "Be brief.",
      max_output_tokens: 100,
      max_tool_calls: 3,
      reasoning: { effort: "low", summary: "detailed", context: "all_turns" },
      tools: [
        { type: "function", name: "f", parameters: { type: "object" }, strict: true, defer_loading: true },
        { type: "function", name: "g" },
        { type: "custom", name: "h", format: { type: "grammar", syntax: "lark", definition: "a" } },
        { type: "namespace", name: "mcp", tools: [{ type: "function", name: "read" }] },
        { type: "web_search", filters: { allowed_domains: ["a"] } },
      ],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] },
      parallel_tool_calls: false,
      temperature: 0.1,
      top_p: 0.2,
      text: {
        format: { type: "json_schema", name: "n", schema: { type: "object" }, x_new: 1 },
        verbosity: "low",
        x: 2,
      },
      metadata: { a: "1" },
      safety_identifier: "x".repeat(80),
      prompt_cache_key: "key",
      prompt_cache_options: { mode: "explicit" },
      store: true,
      include: ["message.output_text.logprobs"],
      service_tier: "flex",
      truncation: "auto",
      top_logprobs: 2,
      client_metadata: { a: 1 },
      stream: true,
    };
    expect(through(body)).toEqual(body);
  });

  const at = (item_id: string, output_index: number) => ({ item_id, output_index });
  const annotation = { type: "url_citation", url: "https://a", title: "A", start_index: 0, end_index: 2 };
  const reasoning = {
    id: "rs_1",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "First" }],
    content: [{ type: "reasoning_text", text: "Raw" }],
    encrypted_content: "gAAA==",
  };
  const search = { id: "ws_1", type: "web_search_call", status: "completed", action: { type: "search", query: "q" } };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [
      { type: "output_text", text: "Hi 🙂", annotations: [annotation], logprobs: [] },
      { type: "refusal", refusal: "No." },
    ],
    phase: "commentary",
  };
  const call = {
    id: "fc_1",
    type: "function_call",
    call_id: "call_1",
    name: "f",
    arguments: "{}",
    status: "completed",
  };
  const custom = {
    id: "ctc_1",
    type: "custom_tool_call",
    call_id: "call_2",
    name: "sh",
    input: "ls",
    status: "completed",
    namespace: "os",
  };
  const output = [reasoning, search, message, call, custom];
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 15,
  };
  const [textPart, refusalPart] = message.content;

  /** What an upstream streams, without its first and last events. */
  const middle: JsonObject[] = [
    { type: "response.output_item.added", output_index: 0, item: { id: "rs_1", type: "reasoning", summary: [] } },
    {
      type: "response.reasoning_summary_part.added",
      ...at("rs_1", 0),
      summary_index: 0,
      part: { type: "summary_text", text: "" },
    },
    { type: "response.reasoning_summary_text.delta", ...at("rs_1", 0), summary_index: 0, delta: "First" },
    { type: "response.reasoning_summary_text.done", ...at("rs_1", 0), summary_index: 0, text: "First" },
    { type: "response.reasoning_summary_part.done", ...at("rs_1", 0), summary_index: 0, part: reasoning.summary[0] },
    {
      type: "response.content_part.added",
      ...at("rs_1", 0),
      content_index: 0,
      part: { type: "reasoning_text", text: "" },
    },
    { type: "response.reasoning_text.delta", ...at("rs_1", 0), content_index: 0, delta: "Raw" },
    { type: "response.reasoning_text.done", ...at("rs_1", 0), content_index: 0, text: "Raw" },
    { type: "response.content_part.done", ...at("rs_1", 0), content_index: 0, part: reasoning.content[0] },
    { type: "response.output_item.done", output_index: 0, item: reasoning },
    { type: "response.output_item.added", output_index: 1, item: { ...search, status: "in_progress" } },
    { type: "response.web_search_call.in_progress", ...at("ws_1", 1) },
    { type: "response.web_search_call.completed", ...at("ws_1", 1) },
    { type: "response.output_item.done", output_index: 1, item: search },
    { type: "response.output_item.added", output_index: 2, item: { ...message, status: "in_progress", content: [] } },
    {
      type: "response.content_part.added",
      ...at("msg_1", 2),
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [], logprobs: [] },
    },
    { type: "response.output_text.delta", ...at("msg_1", 2), content_index: 0, delta: "Hi 🙂", logprobs: [] },
    {
      type: "response.output_text.annotation.added",
      ...at("msg_1", 2),
      content_index: 0,
      annotation_index: 0,
      annotation,
    },
    { type: "response.output_text.done", ...at("msg_1", 2), content_index: 0, text: "Hi 🙂", logprobs: [] },
    { type: "response.content_part.done", ...at("msg_1", 2), content_index: 0, part: textPart },
    {
      type: "response.content_part.added",
      ...at("msg_1", 2),
      content_index: 1,
      part: { type: "refusal", refusal: "" },
    },
    { type: "response.refusal.delta", ...at("msg_1", 2), content_index: 1, delta: "No." },
    { type: "response.refusal.done", ...at("msg_1", 2), content_index: 1, refusal: "No." },
    { type: "response.content_part.done", ...at("msg_1", 2), content_index: 1, part: refusalPart },
    { type: "response.output_item.done", output_index: 2, item: message },
    {
      type: "response.output_item.added",
      output_index: 3,
      item: { ...call, status: "in_progress", arguments: "" },
    },
    { type: "response.function_call_arguments.delta", ...at("fc_1", 3), delta: "{}" },
    { type: "response.function_call_arguments.done", ...at("fc_1", 3), name: "f", arguments: "{}" },
    { type: "response.output_item.done", output_index: 3, item: call },
    { type: "response.output_item.added", output_index: 4, item: { ...custom, status: "in_progress", input: "" } },
    { type: "response.custom_tool_call_input.delta", ...at("ctc_1", 4), delta: "ls" },
    { type: "response.custom_tool_call_input.done", ...at("ctc_1", 4), input: "ls" },
    { type: "response.output_item.done", output_index: 4, item: custom },
  ];

  function stream(events: readonly JsonObject[]) {
    const decoder = openaiResponsesProtocol.createEventDecoder(Dialect.RESPONSES);
    const request = codec.decodeRequest({ model: "attune/m", input: "Hello", stream: true });
    const encoder = codec.createEventEncoder(request);
    const fold = new ResponseFold();
    let bytes = "";
    for (const event of events) {
      const decoded = decoder.decode({ event: String(event.type), data: JSON.stringify(event) });
      for (const each of decoded) {
        if (each.event.case === "started") Object.assign(each.event.value, { id: ID, model: "attune/m" });
        fold.add(each);
      }
      bytes += encoder.encode(decoded);
    }
    return { bytes, whole: JSON.parse(codec.encodeResponse(fold.response, request)) as JsonObject };
  }

  const answer = [
    { type: "response.created", response: { id: "resp_1", status: "in_progress", output: [] } },
    { type: "response.in_progress", response: { id: "resp_1", status: "in_progress", output: [] } },
    ...middle,
    { type: "response.completed", response: { id: "resp_1", status: "completed", output, usage } },
  ];

  it("gives every event of an answer back as it was, with its own numbers", () => {
    const written = stream(answer)
      .bytes.split("\n")
      .filter((line) => line.startsWith("data: {"))
      .map((line): JsonObject => JSON.parse(line.slice("data: ".length)));
    expect(written.slice(2, -1)).toEqual(middle.map((event, n) => ({ ...event, sequence_number: n + 2 })));
    expect(written.at(-1)?.response).toMatchObject({ id: ID, model: "attune/m", output, usage });
  });

  it("gives the whole answer back as it was", () => {
    expect(stream(answer).whole).toMatchObject({ id: ID, status: "completed", output, usage });
  });

  it("satisfies OpenAI's accumulator, hosted tools and all", async () => {
    const { bytes } = stream(answer);
    const headers = { "content-type": "text/event-stream" };
    const fetch = async () => new Response(bytes, { headers });
    const client = new OpenAI({ apiKey: "sk-test", baseURL: "http://attune.test/v1", maxRetries: 0, fetch });
    const final = await client.responses.stream({ model: "attune/m", input: "Hello" }).finalResponse();
    expect(final.output).toMatchObject(output);
    expect(final.output_text).toBe("Hi 🙂");
  });
});
