import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { decodeRequest } from "../../../../src/formats/chat/request/decode-request.ts";

const weather = { name: "get_weather", description: "Weather of a city", parameters: { type: "object" } };
const user = { role: "user", content: "Weather?" };
const called = (name: string, text = "{}"): object => ({
  role: "assistant",
  content: null,
  function_call: { name, arguments: text },
});
const result = (name: string, content: string | null): object => ({ role: "function", name, content });

const decode = (body: object): object =>
  toJson(InferenceInputSchema, decodeRequest({ model: "m", messages: [user], ...body }).input) as object;

describe("functions", () => {
  it("become tools, of which an answer calls one", () => {
    expect(decode({ functions: [weather], function_call: { name: "get_weather" } })).toMatchObject({
      tools: [
        { function: { name: "get_weather", description: "Weather of a city", parametersJson: '{"type":"object"}' } },
      ],
      toolChoice: { mode: "TOOL_CHOICE_MODE_NAMED", name: "get_weather", kind: "TOOL_KIND_FUNCTION" },
      parallelToolCalls: false,
    });
  });

  it.each([
    ["auto", "TOOL_CHOICE_MODE_AUTO"],
    ["none", "TOOL_CHOICE_MODE_NONE"],
  ])("function_call %s is a mode of tool_choice, and says nothing without functions", (word, mode) => {
    expect(decode({ functions: [weather], function_call: word })).toMatchObject({ toolChoice: { mode } });
    expect(decode({ function_call: word })).not.toHaveProperty("toolChoice");
  });

  it("leave parallel_tool_calls to who says it, and unsaid without any function", () => {
    expect(decode({ functions: [weather], parallel_tool_calls: true })).toMatchObject({ parallelToolCalls: true });
    expect(decode({ functions: [] })).not.toHaveProperty("parallelToolCalls");
  });

  it("keep members that the hub does not know", () => {
    expect(decode({ functions: [{ ...weather, x: 1 }] })).toMatchObject({
      tools: [{ extension: { dialect: "DIALECT_CHAT", json: '{"function":{"x":1}}' } }],
    });
  });

  it("answer calls of the same name in their order", () => {
    const messages = [
      user,
      called("f", "1"),
      result("f", "a"),
      called("f", "2"),
      called("g"),
      result("g", null),
      result("f", "b"),
    ];
    expect(
      (decode({ messages }) as { messages: { content: unknown }[] }).messages.map(({ content }) => content),
    ).toEqual([
      [{ text: { text: "Weather?" } }],
      [{ toolUse: { id: "call_function_1", name: "f", arguments: "1", kind: "TOOL_KIND_FUNCTION" } }],
      [
        {
          toolResult: { toolUseId: "call_function_1", content: [{ text: { text: "a" } }], kind: "TOOL_KIND_FUNCTION" },
        },
      ],
      [{ toolUse: { id: "call_function_3", name: "f", arguments: "2", kind: "TOOL_KIND_FUNCTION" } }],
      [{ toolUse: { id: "call_function_4", name: "g", arguments: "{}", kind: "TOOL_KIND_FUNCTION" } }],
      [{ toolResult: { toolUseId: "call_function_4", kind: "TOOL_KIND_FUNCTION" } }],
      [
        {
          toolResult: { toolUseId: "call_function_3", content: [{ text: { text: "b" } }], kind: "TOOL_KIND_FUNCTION" },
        },
      ],
    ]);
  });

  it.each([
    [{ functions: {} }, "functions", "must be an array, not an object"],
    [{ functions: [{}] }, "functions[0].name", "is required: a string"],
    [{ functions: [weather, weather] }, "functions[1]", "has the name 'get_weather', which another tool has too"],
    [{ functions: [weather], tools: [] }, "functions", "cannot be combined with tools: define all of them as tools"],
    [
      { functions: [weather], tool_choice: "auto" },
      "functions",
      "cannot be combined with tool_choice: define all of them as tools",
    ],
    [
      { functions: [weather], function_call: "required" },
      "function_call",
      "must be one of 'none', 'auto', not 'required'",
    ],
    [
      { functions: [weather], function_call: { name: "f" } },
      "function_call.name",
      "'f' is not among the functions: define it, or choose another",
    ],
    [{ messages: [called("")] }, "messages[0].function_call.name", "must not be empty"],
    [
      { messages: [user, result("f", "x")] },
      "messages[1].name",
      "no 'function_call' of 'f' without a result comes before it",
    ],
  ])("refuses %j", (body, param, problem) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ param, problem }));
  });
});
