import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  Dialect,
  ReasoningEffort,
  Role,
  ThinkingMode,
  ToolChoiceMode,
  ToolKind,
  UsageSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/inference/error.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  finishedEvent,
  startedEvent,
} from "../../../src/inference/events.ts";
import { createSandboxUpstream } from "../../../src/upstream/sandbox/upstream.ts";
import { call, type InputInit, inputOf, result, run, TARGET, text, tool, user } from "./harness.ts";

const WEATHER = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const THOUGHT = "The sandbox does not reason. It answers by its rules to what the user says.";
const HI = "text This is Attune's sandbox, not a model. You said: hi";

function finishedWith(reason: FinishReason, rawReason: string, outputTokens: number, reasoningTokens = 0) {
  return { reason, rawReason, usage: expect.objectContaining({ outputTokens, reasoningTokens }) };
}

describe("createSandboxUpstream()", () => {
  it("streams a text token by token, a few tokens in a batch", async () => {
    const deltas = (...texts: string[]): GenerateEvent[] =>
      texts.map((value) => blockDeltaEvent(0, { case: "text", value }));
    const { batches } = await run({ messages: [user("hi")] });
    expect(batches).toEqual([
      [startedEvent({ usage: { inputTokens: 1 }, serving: { upstreamModel: "sandbox" } })],
      [blockStartEvent(0, { kind: { case: "text", value: { text: "" } } }), ...deltas("This", " is", " Att", "une")],
      deltas("'s", " sandbox", ",", " not"),
      deltas(" a", " model", ".", " You"),
      [...deltas(" said", ":", " hi"), blockEndEvent(0)],
      [
        finishedEvent({
          reason: FinishReason.STOP,
          rawReason: "stop",
          usage: { inputTokens: 1, outputTokens: 15, reasoningTokens: 0 },
        }),
      ],
    ]);
  });

  it("gives the same answer to the same request, and other ids to another", async () => {
    const init: InputInit = { tools: [tool("f", WEATHER)], reasoning: { effort: ReasoningEffort.LOW } };
    const [first, second, other] = [await run(init), await run(init), await run({ ...init, messages: [user("ho")] })];
    expect(second).toEqual(first);
    expect(idsOf(other.batches.flat())).not.toEqual(idsOf(first.batches.flat()));
  });

  it("ends at once when the caller goes away", async () => {
    const controller = new AbortController();
    controller.abort();
    const { batches, error } = await run({}, controller.signal);
    expect(batches).toEqual([]);
    expect(error?.reason).toBe(ErrorReason.CANCELED);
  });

  it("refuses a prompt that is longer than the context window", async () => {
    const { error } = await run({ messages: [user("word ".repeat(10_000))] });
    expect(error?.reason).toBe(ErrorReason.CONTEXT_LENGTH_EXCEEDED);
    expect(error?.message).toBe("the prompt has 10001 tokens, and the model takes 10000: shorten it");
    expect(error?.facts).toMatchObject({ upstream: "sandbox", upstreamStatus: 400 });
  });
});

function idsOf(events: readonly GenerateEvent[]): string[] {
  return events.flatMap(({ event }) => {
    const kind = event.case === "blockStart" ? event.value.block?.kind : undefined;
    return kind?.case === "toolUse" ? [kind.value.id] : [];
  });
}

type Row = readonly [name: string, init: InputInit, blocks: readonly string[], reason: FinishReason];

const image = {
  kind: { case: "image" as const, value: { source: { case: "url" as const, value: "http://a/b.png" } } },
};
const document = {
  kind: { case: "document" as const, value: { source: { case: "text" as const, value: "words" } } },
};
const tools = [tool("get_time"), tool("get_weather", WEATHER), tool("send_mail")];
const mode = (value: ToolChoiceMode, more: object = {}) => ({ toolChoice: { mode: value, ...more } });

const ANSWERS: readonly Row[] = [
  [
    "nothing in words",
    { messages: [user(image)] },
    ["text This is Attune's sandbox, not a model. It was given 1 image. You said nothing in words."],
    FinishReason.STOP,
  ],
  [
    "images and documents, also in results",
    {
      messages: [
        user(image, document, "look", image),
        call("1", "f"),
        user({ kind: { case: "toolResult", value: { toolUseId: "1", content: [image] } } }),
        { role: Role.ASSISTANT, content: [text("seen")] },
      ],
    },
    ["text This is Attune's sandbox, not a model. It was given 3 images and 1 document. You said: look"],
    FinishReason.STOP,
  ],
  [
    "the last words of the user, not those of others",
    {
      system: [text("system")],
      messages: [
        user("old"),
        user("new"),
        { role: Role.ASSISTANT, content: [text("a")] },
        { role: Role.SYSTEM, content: [text("b")] },
      ],
    },
    ["text This is Attune's sandbox, not a model. You said: new"],
    FinishReason.STOP,
  ],
  ["the only tool", { tools: [tool("f", WEATHER)] }, ['toolUse f {"city":"example city"}'], FinishReason.TOOL_USE],
  ["the first tool, when no words are in common", { tools }, ["toolUse get_time {}"], FinishReason.TOOL_USE],
  [
    "the tool whose words the user says",
    { tools, messages: [user("How is the weather in Paris?")] },
    ['toolUse get_weather {"city":"example city"}'],
    FinishReason.TOOL_USE,
  ],
  [
    "the tool whose name the user says",
    { tools, messages: [user("weather by send_mail")] },
    ["toolUse send_mail {}"],
    FinishReason.TOOL_USE,
  ],
  [
    "two tools for 'both'",
    { tools, messages: [user("both weather and time")] },
    ["toolUse get_time {}", 'toolUse get_weather {"city":"example city"}'],
    FinishReason.TOOL_USE,
  ],
  [
    "one tool twice for 'parallel'",
    { tools: [tool("f")], messages: [user("In parallel!")] },
    ["toolUse f {}", "toolUse f {}"],
    FinishReason.TOOL_USE,
  ],
  [
    "one tool if parallel calls are off",
    { tools, messages: [user("both weather and time")], parallelToolCalls: false },
    ["toolUse get_time {}"],
    FinishReason.TOOL_USE,
  ],
  ["no tool if none may be called", { tools, ...mode(ToolChoiceMode.NONE) }, [HI], FinishReason.STOP],
  [
    "the named tool",
    { tools, ...mode(ToolChoiceMode.NAMED, { name: "send_mail" }), messages: [user("both get_weather")] },
    ["toolUse send_mail {}"],
    FinishReason.TOOL_USE,
  ],
  [
    "only allowed tools",
    { tools, ...mode(ToolChoiceMode.AUTO, { allowedNames: ["send_mail"] }), messages: [user("weather")] },
    ["toolUse send_mail {}"],
    FinishReason.TOOL_USE,
  ],
  [
    "a custom tool with the user's words",
    { tools: [{ kind: { case: "custom", value: { name: "run" } } }] },
    ["toolUse run hi"],
    FinishReason.TOOL_USE,
  ],
  [
    "the results of tools, in one message",
    {
      tools,
      messages: [
        user("x"),
        call("1", "a"),
        call("2", "b"),
        user(result("1", "one"), result("2", "two", true), "go on"),
      ],
    },
    ["text This is Attune's sandbox, not a model. The tool a returned: one The tool b failed: two"],
    FinishReason.STOP,
  ],
  [
    "the results of tools, each in its message",
    {
      tools,
      messages: [
        user("x"),
        call("1", "a"),
        { role: Role.TOOL, content: [result("1", "one")] },
        { role: Role.TOOL, content: [result("9", "two")] },
      ],
    },
    ["text This is Attune's sandbox, not a model. The tool a returned: one A tool returned: two"],
    FinishReason.STOP,
  ],
  [
    "a tool again, if the user speaks after its result",
    { tools, messages: [user("x"), call("1", "a"), user(result("1", "one")), user("more")] },
    ["toolUse get_time {}"],
    FinishReason.TOOL_USE,
  ],
  [
    "a tool again, if a call is demanded",
    { tools, ...mode(ToolChoiceMode.REQUIRED), messages: [user("x"), call("1", "a"), user(result("1", "one"))] },
    ["toolUse get_time {}"],
    FinishReason.TOOL_USE,
  ],
  [
    "a JSON object",
    { outputFormat: { kind: { case: "jsonObject", value: {} } } },
    ['text {"sandbox":true,"said":"hi"}'],
    FinishReason.STOP,
  ],
  [
    "JSON that a schema accepts",
    { outputFormat: { kind: { case: "jsonSchema", value: { schemaJson: JSON.stringify(WEATHER) } } } },
    ['text {"city":"example city"}'],
    FinishReason.STOP,
  ],
  ["plain text, said explicitly", { outputFormat: { kind: { case: "text", value: {} } } }, [HI], FinishReason.STOP],
  ["no thinking for no effort", { reasoning: { effort: ReasoningEffort.NONE } }, [HI], FinishReason.STOP],
  ["no thinking for minimal effort", { reasoning: { effort: ReasoningEffort.MINIMAL } }, [HI], FinishReason.STOP],
  [
    "thinking for low effort",
    { reasoning: { effort: ReasoningEffort.LOW } },
    [`thinking ${THOUGHT} (signed)`, HI],
    FinishReason.STOP,
  ],
  [
    "thinking with a budget",
    { reasoning: { mode: ThinkingMode.ENABLED, budgetTokens: 1024 } },
    [`thinking ${THOUGHT} (signed)`, HI],
    FinishReason.STOP,
  ],
  [
    "adaptive thinking",
    { reasoning: { mode: ThinkingMode.ADAPTIVE } },
    [`thinking ${THOUGHT} (signed)`, HI],
    FinishReason.STOP,
  ],
  [
    "no thinking if it is off, whatever the effort",
    { reasoning: { mode: ThinkingMode.DISABLED, effort: ReasoningEffort.HIGH } },
    [HI],
    FinishReason.STOP,
  ],
  [
    "thinking that is not shown",
    { reasoning: { mode: ThinkingMode.ADAPTIVE, display: "omitted" } },
    ["thinking  (signed)", HI],
    FinishReason.STOP,
  ],
  ["no thinking before the first tool", { reasoning: { mode: ThinkingMode.BETWEEN_TOOLS } }, [HI], FinishReason.STOP],
  [
    "thinking between tools",
    {
      reasoning: { mode: ThinkingMode.BETWEEN_TOOLS },
      messages: [user("x"), call("1", "a"), user(result("1", "one"))],
    },
    [
      "thinking The sandbox does not reason. It answers by its rules to what the tools returned. (signed)",
      "text This is Attune's sandbox, not a model. The tool a returned: one",
    ],
    FinishReason.STOP,
  ],
  [
    "thinking before a call",
    { reasoning: { effort: ReasoningEffort.MAX }, tools: [tool("f")] },
    [`thinking ${THOUGHT} (signed)`, "toolUse f {}"],
    FinishReason.TOOL_USE,
  ],
  ["no text from sampling parameters", { temperature: 2, topP: 0, topK: 1 }, [HI], FinishReason.STOP],
];

describe("the sandbox answers", () => {
  it.each(ANSWERS)("%s", async (_name, init, blocks, reason) => {
    const outcome = await run(init);
    expect(outcome.error).toBeUndefined();
    expect(outcome.blocks).toEqual(blocks);
    expect(outcome.finished?.reason).toBe(reason);
  });

  it("calls with the kind of the tool, and ids that are safe everywhere and differ", async () => {
    const custom = { kind: { case: "custom" as const, value: { name: "run" } } };
    const { batches } = await run({ tools: [tool("f"), custom], messages: [user("both f and run")] });
    const starts = batches
      .flat()
      .flatMap(({ event }) => (event.case === "blockStart" ? [event.value.block?.kind] : []));
    expect(starts.map((kind) => (kind?.case === "toolUse" ? kind.value.kind : undefined))).toEqual([
      ToolKind.FUNCTION,
      ToolKind.CUSTOM,
    ]);
    const ids = idsOf(batches.flat());
    for (const id of ids) expect(id).toMatch(/^call_[0-9a-f]{24}$/);
    expect(new Set(ids).size).toBe(2);
  });

  it("repeats a long message only in part", async () => {
    const { blocks } = await run({ messages: [user(`${"x".repeat(1999)}\u{1F43B}${"y".repeat(500)}`)] });
    expect(blocks).toEqual([`text This is Attune's sandbox, not a model. You said: ${"x".repeat(1999)}\uFFFD...`]);
  });
});

describe("the sandbox keeps limits", () => {
  it.each([
    ["before a word", ["You"], "text This is Attune's sandbox, not a model. ", "You"],
    ["the first one in the text, not in the list", ["said", "sandbox"], "text This is Attune's ", "sandbox"],
    ["across tokens", ["s sand"], "text This is Attune'", "s sand"],
    ["at the very start", ["This"], "text ", "This"],
    ["in what the user says", [": hi"], "text This is Attune's sandbox, not a model. You said", ": hi"],
  ])("stops %s", async (_name, stopSequences, block, stopSequence) => {
    const { blocks, finished } = await run({ stopSequences });
    expect(blocks).toEqual([block]);
    expect(finished).toMatchObject({ reason: FinishReason.STOP_SEQUENCE, rawReason: "stop_sequence", stopSequence });
  });

  it("does not stop at what it does not say", async () => {
    const { blocks, finished } = await run({ stopSequences: ["", "never said"] });
    expect(blocks).toEqual([HI]);
    expect(finished?.reason).toBe(FinishReason.STOP);
  });

  // 15 tokens: This, is, Att, une, 's, sandbox, comma, not, a, model, period, You, said, colon, hi.
  it.each([
    [0, [], FinishReason.LENGTH, 0],
    [1, ["text This"], FinishReason.LENGTH, 1],
    [5, ["text This is Attune's"], FinishReason.LENGTH, 5],
    [14, ["text This is Attune's sandbox, not a model. You said:"], FinishReason.LENGTH, 14],
    [15, [HI], FinishReason.STOP, 15],
    [16, [HI], FinishReason.STOP, 15],
  ])("answers with at most %d tokens", async (maxOutputTokens, expected, reason, tokens) => {
    const { blocks, finished } = await run({ maxOutputTokens });
    expect(blocks).toEqual(expected);
    expect(finished).toMatchObject(finishedWith(reason, reason === FinishReason.STOP ? "stop" : "length", tokens));
  });

  it("counts reasoning as part of the limit, and apart", async () => {
    const reasoning = { mode: ThinkingMode.ADAPTIVE };
    const whole = await run({ reasoning });
    // The thought has 17 tokens: The, sandbox, does, not, reason, period, It, answers, by, its, rules, to, what, the, user, says, period.
    expect(whole.finished).toMatchObject(finishedWith(FinishReason.STOP, "stop", 32, 17));
    const cut = await run({ reasoning, maxOutputTokens: 2 });
    expect(cut.blocks).toEqual(["thinking The sandbox (signed)"]);
    expect(cut.finished).toMatchObject(finishedWith(FinishReason.LENGTH, "length", 2, 2));
    const between = await run({ reasoning, maxOutputTokens: 17 });
    expect(between.blocks).toEqual([`thinking ${THOUGHT} (signed)`]);
    expect(between.finished?.reason).toBe(FinishReason.LENGTH);
  });

  it("cuts the arguments of a call like any text", async () => {
    const { blocks, finished } = await run({ tools: [tool("f", WEATHER)], maxOutputTokens: 3 });
    expect(blocks).toEqual(['toolUse f {"city":"']);
    expect(finished?.reason).toBe(FinishReason.LENGTH);
  });

  it("does not show half a character, and counts its tokens", async () => {
    // The bear has two tokens; the text before it thirteen and a space that belongs to none of them.
    const bear = await run({ messages: [user("\u{1F43B}")] });
    const total = bear.finished?.usage?.outputTokens ?? 0;
    const { blocks, finished } = await run({ messages: [user("\u{1F43B}")], maxOutputTokens: total - 1 });
    expect(blocks[0]).not.toContain("\uFFFD");
    expect(blocks[0]?.endsWith("\u{1F43B}")).toBe(false);
    expect(finished).toMatchObject(finishedWith(FinishReason.LENGTH, "length", total - 1));
  });

  it("keeps to the model's own limit", async () => {
    const { finished } = await run({ model: "attune/m:sandbox-long=501" });
    expect(finished).toMatchObject(finishedWith(FinishReason.LENGTH, "length", 500));
  });
});

describe("the sandbox refuses", () => {
  const none = { type: "object", properties: { a: false }, required: ["a"] };
  it.each([
    [
      "a tool that is not there",
      { tools, ...mode(ToolChoiceMode.NAMED, { name: "x" }) },
      "tool_choice: names a tool that is not among the tools",
    ],
    [
      "a call without tools",
      mode(ToolChoiceMode.REQUIRED),
      "tool_choice: demands a call, and there is no tool that the sandbox can call",
    ],
    [
      "a schema without a value",
      { dialect: Dialect.CHAT, tools: [tool("a"), tool("f", none)], messages: [user("f")] },
      "tools[1].function.parameters: of the tool 'f': the sandbox finds no object that the schema accepts",
    ],
    [
      "arguments that are no object",
      { dialect: Dialect.MESSAGES, tools: [tool("f", { type: "string" })] },
      "tools[0].input_schema: of the tool 'f': the sandbox finds no object that the schema accepts",
    ],
    [
      "a schema that is none",
      {
        dialect: Dialect.RESPONSES,
        outputFormat: { kind: { case: "jsonSchema", value: { schemaJson: '{"type":"text"}' } } },
      },
      "text.format.schema: the schema is not valid: schema is invalid: data/type must be equal to one of the allowed values, data/type must be array, data/type must match a schema in anyOf",
    ],
    [
      "a schema that is no JSON",
      { dialect: Dialect.MESSAGES, outputFormat: { kind: { case: "jsonSchema", value: { schemaJson: "{" } } } },
      "output_config.format.schema: the schema is not valid JSON",
    ],
  ] satisfies [string, InputInit, string][])("%s", async (_name, init, message) => {
    const { batches, error } = await run(init);
    expect(batches).toEqual([]);
    expect(error?.reason).toBe(ErrorReason.INVALID_REQUEST);
    expect(error?.message).toBe(message);
    expect(message.startsWith(`${error?.facts.param}: `)).toBe(true);
  });
});

describe("the sandbox's tokens", () => {
  it.each([
    [
      "system, messages and tools",
      { system: [text("one")], messages: [user("two")], tools: [tool("f", {})], ...mode(ToolChoiceMode.NONE) },
      4,
    ],
    ["an image", { messages: [user(image)] }, 1000],
    ["a document of words", { messages: [user(document)] }, 1],
    ["names of control tokens are text", { messages: [user("<|endoftext|>")] }, 7],
  ] satisfies [string, InputInit, number][])("count %s", async (_name, init, inputTokens) => {
    const { finished } = await run(init);
    expect(finished?.usage).toMatchObject({ inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 });
  });

  it("are told at the start as at the end", async () => {
    const { batches, finished } = await run({ messages: [user("a b c")] });
    const started = batches[0]?.[0]?.event;
    expect(started?.case === "started" ? started.value.usage?.inputTokens : undefined).toBe(3);
    expect(finished?.usage).toEqual(create(UsageSchema, { inputTokens: 3, outputTokens: 17, reasoningTokens: 0 }));
  });
});

describe("prepare()", () => {
  it("does nothing but list losses and read the directive", () => {
    const upstream = createSandboxUpstream("play");
    expect(upstream.name).toBe("play");
    expect(upstream.prepare(inputOf({ tools: [tool("f", { type: "nonsense" })] }), TARGET).losses).toEqual([]);
  });
});
