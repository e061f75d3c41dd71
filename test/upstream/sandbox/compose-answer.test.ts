import { describe, expect, it } from "vitest";
import {
  ReasoningEffort,
  Role,
  ThinkingMode,
  ToolChoiceMode,
  ToolKind,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { call, type InputInit, idsOf, result, run, text, tool, user, WEATHER } from "./harness.ts";

const THOUGHT = "The sandbox does not reason. It answers by its rules to what the user says.";
const HI = "text This is Attune's sandbox, not a model. You said: hi";

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
  ["the only tool", { tools: [tool("f", WEATHER)] }, ['toolUse f {"city":"Lima"}'], FinishReason.TOOL_USE],
  ["the first tool, when no words are in common", { tools }, ["toolUse get_time {}"], FinishReason.TOOL_USE],
  [
    "the tool whose words the user says",
    { tools, messages: [user("How is the weather in Paris?")] },
    ['toolUse get_weather {"city":"Lima"}'],
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
    ["toolUse get_time {}", 'toolUse get_weather {"city":"Lima"}'],
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
    ['text {"city":"Lima"}'],
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
