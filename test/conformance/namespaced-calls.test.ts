import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { type Harness, startHarness } from "./harness.ts";
import { dataFrames, typedFrames, type UpstreamKind } from "./topic.ts";

/** A name of 65 characters with its namespace: more than Chat takes, and fewer than Messages. */
const LONG = "list_pull_requests_of_a_repository_that_wait_for_a_review";
const tools = [
  { type: "function", name: "github__search", parameters: { type: "object" }, strict: false },
  {
    type: "namespace",
    name: "github",
    description: "",
    tools: ["search", LONG].map((name) => ({ type: "function", name, parameters: { type: "object" }, strict: false })),
  },
];
/** The ends are those of `printf '["github","search",0]' | sha256sum` and of the same with the long name. */
const SEARCH = "github__search_a8efeabf";
const FLAT: Readonly<Record<"openai-chat" | "anthropic-messages", readonly string[]>> = {
  "openai-chat": ["github__search", SEARCH, "github__list_pull_requests_of_a_repository_t_4b241403"],
  "anthropic-messages": ["github__search", SEARCH, `github__${LONG}`],
};
type Kind = keyof typeof FLAT;

/** An answer that calls a tool, as an upstream of each kind gives it. */
const CALLS: Readonly<Record<Kind, (name: string) => { readonly frames: string; readonly whole: string }>> = {
  "openai-chat": (name) => {
    const head = '"id":"chatcmpl-1","created":1,"model":"real-chat"';
    const call = (input: string) =>
      `"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"${name}","arguments":${input}}}]`;
    const chunk = (delta: string, finish: string) =>
      `{${head},"object":"chat.completion.chunk","choices":[{"index":0,"delta":{${delta}},"finish_reason":${finish}}]}`;
    const usage = '"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}';
    return {
      frames: dataFrames(
        chunk(call('""'), "null"),
        chunk('"tool_calls":[{"index":0,"function":{"arguments":"{\\"q\\":1}"}}]', "null"),
        chunk("", '"tool_calls"'),
        `{${head},"object":"chat.completion.chunk","choices":[],${usage}}`,
        "[DONE]",
      ),
      whole:
        `{${head},"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,` +
        `${call('"{\\"q\\":1}"')}},"finish_reason":"tool_calls"}],${usage}}`,
    };
  },
  "anthropic-messages": (name) => {
    const message = '"id":"msg_1","type":"message","role":"assistant","model":"real-messages"';
    return {
      frames: typedFrames(
        `{"type":"message_start","message":{${message},"content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}`,
        `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"call_1","name":"${name}","input":{}}}`,
        '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"q\\":1}"}}',
        '{"type":"content_block_stop","index":0}',
        '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}}',
        '{"type":"message_stop"}',
      ),
      whole:
        `{${message},"content":[{"type":"tool_use","id":"call_1","name":"${name}","input":{"q":1}}],"stop_reason":"tool_use",` +
        '"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":5}}',
    };
  },
};
const KINDS = Object.keys(FLAT) as Kind[];

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.close());

function answerOf(kind: Kind, name: string) {
  const { frames, whole } = CALLS[kind](name);
  return { streamed: { steps: [frames] }, whole: wholeAnswer(whole) };
}
const toolNames = (body = ""): unknown[] => {
  const sent: { tools: { name?: string; function?: { name: string } }[] } = JSON.parse(body);
  return sent.tools.map((tool) => tool.function?.name ?? tool.name);
};
const item = (members: string, input: string, status: string): string =>
  `{"id":"fc_<hex>_0","type":"function_call","call_id":"call_1",${members},"arguments":"${input}","status":"${status}"`;
const INPUT = '{\\"q\\":1}';

describe.each(KINDS)("calls of tools in namespaces at %s", (kind) => {
  it.each([
    [1, '"name":"search"'],
    [2, `"name":"${LONG}"`],
  ])("come back under the names that the caller knows: tool %i", async (index, named) => {
    const question = { inbound: "responses" as const, kind: kind as UpstreamKind, request: { input: "Bugs?", tools } };
    const answer = answerOf(kind, FLAT[kind][index] ?? "");
    const whole = await harness.ask(question, answer);
    expect(toolNames(whole.upstreamReceives)).toEqual(FLAT[kind]);
    expect(whole.body).toContain(`${item(named, INPUT, "completed")},"namespace":"github"}`);
    expect(whole.losses).toEqual([]);
    const streamed = await harness.ask({ ...question, request: { ...question.request, stream: true } }, answer);
    expect(streamed.body).toContain(
      `"response.output_item.added","sequence_number":2,"output_index":0,"item":${item(named, "", "in_progress")},"namespace":"github"}`,
    );
    expect(streamed.body).toContain(`"output_index":0,${named},"arguments":"${INPUT}"}`);
    expect(streamed.body).toContain(`"output":[${item(named, INPUT, "completed")},"namespace":"github"}]`);
  });

  it("keep their names where the tool stands in none", async () => {
    const question = { inbound: "responses" as const, kind: kind as UpstreamKind, request: { input: "Bugs?", tools } };
    const { body } = await harness.ask(question, answerOf(kind, "github__search"));
    expect(body).toContain(`${item('"name":"github__search"', INPUT, "completed")}}`);
  });

  it("come back as they were in a stream too where the tool stands in none, and its name is not taken", async () => {
    // `printf '[null,"files.read",0]' | sha256sum`
    const dotted = [{ type: "function", name: "files.read", parameters: { type: "object" }, strict: false }];
    const request = { input: "Bugs?", tools: dotted, stream: true };
    const question = { inbound: "responses" as const, kind: kind as UpstreamKind, request };
    const { body, upstreamReceives } = await harness.ask(question, answerOf(kind, "files_read_f5e9626f"));
    expect(toolNames(upstreamReceives)).toEqual(["files_read_f5e9626f"]);
    expect(body).toContain(`"item":${item('"name":"files.read"', "", "in_progress")}}`);
    expect(body).toContain(`"output":[${item('"name":"files.read"', INPUT, "completed")}}]`);
  });

  it("are gone on with, also where the conversation is continued by its id", async () => {
    const request = { input: "Bugs?", tools };
    const first = await harness.ask({ inbound: "responses", kind, request }, answerOf(kind, SEARCH));
    const output = [{ type: "function_call_output", call_id: "call_1", output: "#7" }];
    const next = { input: output, tools, previous_response_id: first.id };
    const { status, upstreamReceives } = await harness.ask(
      { inbound: "responses", kind, request: next },
      answerOf(kind, SEARCH),
    );
    expect(status).toBe(200);
    const { messages } = JSON.parse(upstreamReceives ?? "{}");
    expect(JSON.stringify(messages)).toContain(`"name":"${SEARCH}"`);
    expect(JSON.stringify(messages)).toContain("#7");
  });

  it("names what is wrong with a tool where the caller wrote it", async () => {
    const bad = { type: "namespace", name: "crm", tools: [{ type: "function", name: "f", parameters: 1 }] };
    const request = { input: "Bugs?", tools: [tools[0], bad] };
    const { status, body, upstreamReceives } = await harness.ask({ inbound: "responses", kind, request });
    expect(status).toBe(400);
    expect(JSON.parse(body).error.param).toBe("tools[1].tools[0].parameters");
    expect(upstreamReceives).toBeUndefined();
  });
});
