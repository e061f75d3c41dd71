import { describe, expect, it } from "vitest";
import type { Draft } from "../../../../../src/dashboard/features/playground/web/draft.ts";
import { FORMATS } from "../../../../../src/dashboard/features/playground/web/formats/formats.ts";
import { readDraft } from "../../../../../src/dashboard/features/playground/web/formats/settings.ts";
import { draftOf, SCHEMA, TOOLS } from "./draft-of.ts";

const FULL: Partial<Draft> = {
  system: "Be brief",
  maxTokens: "50",
  temperature: "0.5",
  effort: "low",
  tools: TOOLS,
  schema: SCHEMA,
  turns: [
    { key: 0, role: "user", text: "Hello" },
    { key: 4, role: "assistant", text: "Hi" },
    { key: 2, role: "user", text: "Weather?" },
  ],
};
const TURNS = [
  { role: "user", content: "Hello" },
  { role: "assistant", content: "Hi" },
  { role: "user", content: "Weather?" },
];
const MODEL = "attune/claude-haiku-5-5";
const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string", default: "Rome" } },
  required: ["city"],
};
const TOOL = { name: "get_weather", description: "Tells the weather" };
const OUTPUT = { type: "object", properties: { city: { type: "string" } } };

function write(changes: Partial<Draft>): unknown {
  const draft = draftOf(changes);
  const { settings, errors } = readDraft(draft);
  expect(errors).toEqual({});
  return FORMATS[draft.format].write(settings);
}

describe("a request of each format", () => {
  it("has all that was set", () => {
    expect(write({ ...FULL, format: "chat" })).toEqual({
      model: MODEL,
      messages: [{ role: "system", content: "Be brief" }, ...TURNS],
      max_completion_tokens: 50,
      temperature: 0.5,
      reasoning_effort: "low",
      tools: [{ type: "function", function: { ...TOOL, parameters: PARAMETERS } }],
      response_format: { type: "json_schema", json_schema: { name: "answer", schema: OUTPUT } },
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(write({ ...FULL, format: "responses" })).toEqual({
      model: MODEL,
      instructions: "Be brief",
      input: TURNS,
      max_output_tokens: 50,
      temperature: 0.5,
      reasoning: { effort: "low", summary: "auto" },
      tools: [{ type: "function", ...TOOL, parameters: PARAMETERS, strict: false }],
      text: { format: { type: "json_schema", name: "answer", schema: OUTPUT } },
      stream: true,
    });
    expect(write({ ...FULL, format: "messages" })).toEqual({
      model: MODEL,
      max_tokens: 50,
      system: "Be brief",
      messages: TURNS,
      temperature: 0.5,
      thinking: { type: "adaptive" },
      output_config: { effort: "low", format: { type: "json_schema", schema: OUTPUT } },
      tools: [{ ...TOOL, input_schema: PARAMETERS }],
      stream: true,
    });
  });

  it("has nothing that was not set", () => {
    const bare = { maxTokens: "", streams: false };
    expect(write({ ...bare, format: "chat" })).toEqual({ model: MODEL, messages: TURNS.slice(0, 1) });
    expect(write({ ...bare, format: "responses" })).toEqual({ model: MODEL, input: TURNS.slice(0, 1) });
    expect(write({ ...bare, format: "messages" })).toEqual({ model: MODEL, messages: TURNS.slice(0, 1) });
  });
});

describe("readDraft()", () => {
  it.each([
    ["maxTokens", "many", "must be a number"],
    ["temperature", "hot", "must be a number"],
    ["schema", "[]", "must be a JSON object"],
    ["tools", "{}", "must be an array of functions"],
    ["tools", "[1]", "[0] must be an object"],
    ["tools", '[{"name": "a"}, {}]', "[1].name must be a text"],
    ["tools", '[{"name": "a", "parameters": 1}]', "[0].parameters must be a JSON schema"],
    ["tools", '[{"name": "a", "description": 1}]', "[0].description must be a text"],
    ["tools", '[{"name": "a", "strict": true}]', "[0].strict is not known: name, description and parameters are"],
  ] as const)("says what is wrong with %s: %s", (name, text, problem) => {
    expect(readDraft(draftOf({ [name]: text })).errors).toEqual({ [name]: problem });
  });

  it("says where JSON breaks off", () => {
    expect(readDraft(draftOf({ tools: "[" })).errors.tools).toMatch(/^isn't JSON: /);
  });

  it("takes a tool without parameters for one that has none", () => {
    expect(readDraft(draftOf({ tools: '[{"name": "now"}]' })).settings.tools).toEqual([
      { name: "now", parameters: { type: "object", properties: {} } },
    ]);
  });
});
