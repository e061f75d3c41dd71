import { describe, expect, it } from "vitest";
import { FORMATS, type Format } from "../../support/sdk-calls.ts";
import { MODEL } from "../../support/sdk-fixture.ts";
import type { UpstreamKind } from "../../support/upstream-frames.ts";
import { ask } from "./ask.ts";
import { SANDBOX, useHardCases } from "./hard-case.ts";
import { promptIn, toolsIn } from "./tool-members.ts";

const cases = useHardCases();

/** How each format says it, and the names that the sandbox then calls. */
const CHOICES: readonly (readonly [what: string, choice: Record<Format, unknown>, calls: readonly string[]])[] = [
  ["auto", { chat: "auto", responses: "auto", messages: { type: "auto" } }, ["get_weather"]],
  ["required", { chat: "required", responses: "required", messages: { type: "any" } }, ["get_weather"]],
  ["none", { chat: "none", responses: "none", messages: { type: "none" } }, []],
  [
    "a named tool",
    {
      chat: { type: "function", function: { name: "get_time" } },
      responses: { type: "function", name: "get_time" },
      messages: { type: "tool", name: "get_time" },
    },
    ["get_time"],
  ],
];

describe.each(FORMATS)("the choice of tools in %s", (format) => {
  const tools = toolsIn(format, "get_weather", "get_time");

  it.each(CHOICES)("case 19: %s is kept by the sandbox", async (_what, choice, names) => {
    const members = { tools, tool_choice: choice[format], ...promptIn(format, "What is the weather?") };
    for (const stream of [false, true]) {
      const { calls } = await ask(cases(), format, { model: SANDBOX, members, stream });
      expect(calls.map(({ name }) => name)).toEqual(names);
    }
  });

  it("case 19: none is taken with calls in the history", async () => {
    const [, none] = CHOICES[2] ?? [];
    const { text } = await ask(cases(), format, {
      model: SANDBOX,
      members: { tools, tool_choice: none?.[format], ...HISTORY[format] },
    });
    expect(text).toContain("rain");
  });
});

const HISTORY: Record<Format, object> = {
  chat: {
    messages: [
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        tool_calls: [{ id: "c1", type: "function", function: { name: "get_weather", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "rain" },
    ],
  },
  responses: {
    input: [
      { role: "user", content: "Weather?" },
      { type: "function_call", call_id: "c1", name: "get_weather", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "rain" },
    ],
  },
  messages: {
    messages: [
      { role: "user", content: "Weather?" },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "get_weather", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "rain" }] },
    ],
  },
};

describe("allowed tools", () => {
  const ALLOWED: Record<"chat" | "responses", unknown> = {
    chat: {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "get_time" } }] },
    },
    responses: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "get_time" }] },
  };

  it.each(["chat", "responses"] as const)("case 19: are all that the sandbox calls, in %s", async (format) => {
    const members = {
      tools: toolsIn(format, "get_weather", "get_time"),
      tool_choice: ALLOWED[format],
      ...promptIn(format, "What is the weather?"),
    };
    const { calls } = await ask(cases(), format, { model: SANDBOX, members });
    expect(calls.map(({ name }) => name)).toEqual(["get_time"]);
  });

  it.each(["chat", "responses"] as const)(
    "case 19: are the tools that a Messages upstream gets, of %s",
    async (format) => {
      cases().script("messages", "text");
      const tools = toolsIn(format, "get_weather", "get_time");
      await cases().post(format, { model: MODEL.messages, tools, tool_choice: ALLOWED[format] });
      expect(cases().lastBody()).toMatchObject({ tools: [{ name: "get_time" }], tool_choice: { type: "any" } });
    },
  );
});

describe("parallel calls that are off", () => {
  const OFF: Record<Format, object> = {
    chat: { parallel_tool_calls: false },
    responses: { parallel_tool_calls: false },
    messages: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
  };

  it.each(FORMATS)("case 20: make the sandbox call one tool, in %s", async (format) => {
    const members = { tools: toolsIn(format, "get_weather", "get_time"), ...promptIn(format, "Do both in parallel") };
    const on = await ask(cases(), format, { model: SANDBOX, members });
    const off = await ask(cases(), format, { model: SANDBOX, members: { ...members, ...OFF[format] } });
    expect([on.calls.length, off.calls.length]).toEqual([2, 1]);
  });

  const SENT: Record<UpstreamKind, object> = {
    chat: { parallel_tool_calls: false },
    responses: { parallel_tool_calls: false },
    messages: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
  };
  const routes = FORMATS.flatMap((format) => FORMATS.map((kind) => ({ format, kind })));

  it.each(routes)("case 20: are off at a $kind upstream, asked in $format", async ({ format, kind }) => {
    cases().script(kind, "text");
    await cases().post(format, { model: MODEL[kind], tools: toolsIn(format, "f"), ...OFF[format] });
    expect(cases().lastBody()).toMatchObject(SENT[kind]);
  });
});
