import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { type Harness, startHarness } from "./harness.ts";
import { type Inbound, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";

/** Names that differ in their last characters only: of 70, as Messages takes them, and with a dot. */
const LONG = `mcp__filesystem_of_the_build_server__list_directory_with_sizes_${"x".repeat(6)}a`;
const OTHER = `${LONG.slice(0, -1)}b`;
const DOTTED = "files.read";

const SCHEMA = { type: "object", properties: {} };

/** A conversation in which the first tool was called, must be called next, and stands beside a second one. */
const REQUESTS: Readonly<Record<Inbound, (name: string, other: string) => object>> = {
  chat: (name, other) => ({
    tools: [name, other].map((one) => ({ type: "function", function: { name: one, parameters: SCHEMA } })),
    tool_choice: { type: "function", function: { name } },
    messages: [
      { role: "user", content: "List." },
      { role: "assistant", tool_calls: [{ id: "z", type: "function", function: { name, arguments: "{}" } }] },
      { role: "tool", tool_call_id: "z", content: "r" },
    ],
  }),
  responses: (name, other) => ({
    tools: [name, other].map((one) => ({ type: "function", name: one, parameters: SCHEMA, strict: false })),
    tool_choice: { type: "function", name },
    input: [
      { role: "user", content: "List." },
      { type: "function_call", call_id: "z", name, arguments: "{}" },
      { type: "function_call_output", call_id: "z", output: "r" },
    ],
  }),
  messages: (name, other) => ({
    max_tokens: 50,
    tools: [name, other].map((one) => ({ name: one, input_schema: SCHEMA })),
    tool_choice: { type: "tool", name },
    messages: [
      { role: "user", content: "List." },
      { role: "assistant", content: [{ type: "tool_use", id: "z", name, input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "z", content: "r" }] },
    ],
  }),
};

/** Whole answers that call a tool. */
const CALLS: Readonly<Record<UpstreamKind, (name: string) => object>> = {
  "openai-chat": (name) => ({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          tool_calls: [{ id: "q", type: "function", function: { name, arguments: "{}" } }],
        },
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
  }),
  "openai-responses": (name) => ({
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "m",
    output: [{ type: "function_call", id: "fc_1", call_id: "q", name, arguments: "{}", status: "completed" }],
    usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14 },
  }),
  "anthropic-messages": (name) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    stop_reason: "tool_use",
    stop_sequence: null,
    content: [{ type: "tool_use", id: "q", name, input: {} }],
    usage: { input_tokens: 9, output_tokens: 5 },
  }),
};

/**
 * Messages callers may not have dots in the names of tools; a Responses upstream has its callers' names as they are.
 */
const routes = UPSTREAM_KINDS.flatMap((kind) => [
  ...(kind === "anthropic-messages" ? [] : [{ inbound: "messages" as const, kind, name: LONG, other: OTHER }]),
  ...(["chat", "responses"] as const)
    .filter((inbound) => inbound !== "responses" || kind !== "openai-responses")
    .map((inbound) => ({ inbound, kind, name: DOTTED, other: "files_read" })),
]);

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.close());

/** Names in a request: those that stand for a tool are all members of that name, which no message of these has. */
function namesIn(body = ""): string[] {
  const found: string[] = [];
  JSON.parse(body, (key, value) => {
    if (key === "name") found.push(String(value));
    return value;
  });
  return found;
}

describe.each(routes)("the name $name of $inbound at $kind", ({ inbound, kind, name, other }) => {
  it("is one that the upstream takes, wherever it stands, and comes back as it was", async () => {
    const request = REQUESTS[inbound](name, other);
    const answer = (called: string) => wholeAnswer(JSON.stringify(CALLS[kind](called)));
    const first = await harness.ask({ inbound, kind, request }, answer("files_read"));
    const names = namesIn(first.upstreamReceives);
    const told = new Set(names);
    expect(names).toHaveLength(4);
    expect(told.size).toBe(2);
    for (const one of told) expect(one).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(first.losses).toEqual([]);
    const renamed = names.find((one) => names.indexOf(one) !== names.lastIndexOf(one)) ?? "";
    const { body } = await harness.ask({ inbound, kind, request }, answer(renamed));
    expect(body).toContain(`"name":"${name}"`);
    expect(body).not.toContain(renamed);
  });
});
