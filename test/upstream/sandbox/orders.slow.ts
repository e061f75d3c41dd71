import { describe, expect, it } from "vitest";
import { Role, ToolChoiceMode } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { fillIn, readLiterals } from "../../../src/upstream/sandbox/fill-in.ts";
import { findShownJson } from "../../../src/upstream/sandbox/shown-json.ts";
import { growthOf, LINEAR } from "../../support/work-ratio.ts";
import { type InputInit, result, run, text, tool, user } from "./harness.ts";

const WEATHER =
  '{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","examples":[1]}},"required":["city"]}';
const ADD = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } };
const tools = [tool("get_time"), tool("get_weather", JSON.parse(WEATHER)), tool("add", ADD)];

describe("tools that the prompt names", () => {
  it.each<[string, InputInit, string[]]>([
    [
      "all of them, in its order, each with its own arguments",
      { messages: [user('Use add with 17 and 25.5, then get_weather for "Paris" and 3 days, then get_time.')] },
      ['toolUse add {"a":17,"b":25.5}', 'toolUse get_weather {"city":"Paris","days":3}', "toolUse get_time {}"],
    ],
    [
      "one, with what stands before it",
      { messages: [user('For "New York", call `get_weather`!')] },
      ['toolUse get_weather {"city":"New York","days":1}'],
    ],
    [
      "the first one where parallel calls are off",
      { messages: [user("get_time, add 1 and 2")], parallelToolCalls: false },
      ["toolUse get_time {}"],
    ],
    ["no part of a longer name", { messages: [user("readd 3 to get_timetable")] }, ["toolUse get_time {}"]],
    [
      "only those that may be called",
      {
        messages: [user("get_time and add 1 and 2")],
        toolChoice: { mode: ToolChoiceMode.AUTO, allowedNames: ["add"] },
      },
      ['toolUse add {"a":1,"b":2}'],
    ],
    [
      "arguments of a tool that is chosen for the prompt",
      { messages: [user("What do 2 and 40 make?")], toolChoice: { mode: ToolChoiceMode.NAMED, name: "add" } },
      ['toolUse add {"a":2,"b":40}'],
    ],
  ])("calls %s", async (_what, init, blocks) => {
    const answer = await run({ tools, ...init });
    expect(answer.blocks).toEqual(blocks);
    expect(answer.finished?.reason).toBe(FinishReason.TOOL_USE);
  });
});

describe("readLiterals()", () => {
  it.each([
    ["\"a b\" and 'c' and `d` and “e”", ["a b", "c", "d", "e"]],
    ["it's Tom's 3rd try of 4, -5, 6.5. Not v7, 8px, 9_0, 1.2.3 or x-10", [4, -5, 6.5]],
    ['"12" 13', ["12", 13]],
    ['"never\nclosed', []],
  ])("reads %j", (said, values) => {
    expect(readLiterals(said).map(({ value }) => value)).toEqual(values);
  });

  it.each(['"', "'", "“", "`", "1", "-", "1.", "a'", '\n"', "\\"])(
    "takes time in proportion to the text: %s",
    async (piece) => {
      expect(await growthOf((times) => readLiterals(piece.repeat(times)), 10_000)).toBeLessThanOrEqual(LINEAR);
    },
  );
});

describe("fillIn()", () => {
  const fill = (properties: object, value: object, said: string, more: object = {}) =>
    JSON.parse(
      fillIn({
        valueJson: JSON.stringify(value),
        schemaJson: JSON.stringify({ type: "object", properties, ...more }),
        text: said,
      }),
    );
  const word = { type: "string" };
  const number = { type: "number" };

  it.each<[string, object, string, object]>([
    ["labels before order", { from: word, to: word }, 'to: "Rome" from "Oslo"', { from: "Oslo", to: "Rome" }],
    [
      "quoted labels",
      { from: word, to: word },
      'set "to" to "Rome", and "from" to "Oslo"',
      { from: "Oslo", to: "Rome" },
    ],
    ["arrays", { tags: { type: "array", items: word }, n: number }, '"a", "b" and 3', { tags: ["a", "b"], n: 3 }],
    ["enumerations", { unit: { type: "string", enum: ["celsius", "kelvin"] } }, "in kelvin", { unit: "kelvin" }],
    ["whole numbers for integers", { n: { type: "integer" } }, "1.5 or 2", { n: 2 }],
    ["bounds", { n: { type: "number", minimum: 10, exclusiveMaximum: 20 } }, "5, 20 or 15", { n: 15 }],
    ["lengths", { s: { type: "string", minLength: 2, maxLength: 3 } }, '"a", "abcd" or "abc"', { s: "abc" }],
    ["what may be null", { s: { anyOf: [word, { type: "null" }], default: null } }, '"x"', { s: "x" }],
  ])("heeds %s", (_what, properties, said, filled) => {
    const value = Object.fromEntries(Object.keys(properties).map((name) => [name, "as it was"]));
    expect(fill(properties, value, said)).toEqual(filled);
  });

  it("leaves what it cannot judge", () => {
    const day = { type: "string", format: "date" };
    const code = { type: "string", pattern: "^[a-z]$" };
    const even = { type: "number", multipleOf: 2 };
    const value = { day: "2026-01-02", code: "a", even: 2, inner: { x: 1 } };
    expect(fill({ day, code, even, inner: { type: "object" } }, value, '"Paris" 3')).toEqual(value);
    expect(fill({ s: word }, { s: "was" }, '"Paris"', { not: { required: ["t"] } })).toEqual({ s: "was" });
    expect(fill({ s: word, t: word }, { s: "was" }, '"a" "b"')).toEqual({ s: "a" });
    expect(fillIn({ valueJson: "[1]", schemaJson: "{}", text: '"a"' })).toBe("[1]");
  });
});

describe("JSON that the prompt shows", () => {
  it.each([
    ['Answer as JSON like {"name": "Ada", "age": 36}.', { example: { name: "Ada", age: 36 } }],
    ['As {"name": string, "tags": [string, ...], age: <number>}', ["name", "tags", "age"]],
    ['with the keys "name" and `age`', ["name", "age"]],
    ["Answer with JSON with keys name and age", ["name", "age"]],
    ["Answer with JSON with the keys: name (a string), age (a number)", ["name", "age"]],
    ["Answer as JSON with the following keys: name, age, and city.", ["name", "age", "city"]],
    ["a JSON object with keys called name and age", ["name", "age"]],
    ["a JSON object with a name and an age", ["name", "age"]],
    ["JSON with these keys:\n- name: of the person\n- age: in years\n", ["name", "age"]],
    ['JSON with a "name" key and an "age" key', ["name", "age"]],
    ['JSON with the key "answer"', ["answer"]],
    ["JSON with keys that make sense", undefined],
    ["The key point: give the fields name, age and city in JSON.", ["name", "age", "city"]],
    [
      '{"type":"object","properties":{"x":{"type":"integer"}}}',
      { schema: { type: "object", properties: { x: { type: "integer" } } } },
    ],
    ["Keys are kept in the safe.", undefined],
    ["function f() { return 1 }", undefined],
  ])("is found in %j", (said, wanted) => {
    const keys = Array.isArray(wanted) ? Object.fromEntries(wanted.map((key) => [key, `example ${key}`])) : undefined;
    expect(findShownJson(said)).toEqual(keys === undefined ? wanted : { example: keys });
  });

  it.each(["{", "}", '{"', '{"a":', "\n", "{\n", "[", "keys ", "keys a,", "keys\n", ", "])(
    "is looked for in time in proportion to the text: %j",
    async (piece) => {
      expect(await growthOf((times) => findShownJson(piece.repeat(times)), 10_000)).toBeLessThanOrEqual(LINEAR);
    },
  );

  const shown = 'Reply in JSON: {"verdict": "yes", "score": 0.5}';
  it.each<[string, InputInit, string]>([
    ["a text", { messages: [user(shown)] }, '{"verdict":"yes","score":0.5}'],
    [
      "short instructions",
      { system: [text('Answer in JSON with the keys "a" and "b".')] },
      '{"a":"example a","b":"example b"}',
    ],
    [
      "a JSON object by a schema in the prompt",
      {
        outputFormat: { kind: { case: "jsonObject", value: {} } },
        messages: [user('{"type":"object","properties":{"ok":{"type":"boolean"}}}')],
      },
      '{"ok":true}',
    ],
    [
      "JSON that obeys a schema, with what the prompt says",
      {
        outputFormat: { kind: { case: "jsonSchema", value: { schemaJson: WEATHER } } },
        messages: [user('The weather of "Lima" for 7 days')],
      },
      '{"city":"Lima","days":7}',
    ],
    [
      "no JSON for long instructions that speak of it",
      { system: [text(`${shown}${" and so on".repeat(300)}`)] },
      "This is Attune's sandbox, not a model. You said: hi",
    ],
    [
      "no JSON for results of tools",
      { messages: [user(shown), { role: Role.TOOL, content: [result("c", "done")] }] },
      "This is Attune's sandbox, not a model. A tool returned: done",
    ],
  ])("is answered for %s", async (_what, init, answer) => {
    expect((await run(init)).blocks).toEqual([`text ${answer}`]);
  });
});

describe("an order to refuse", () => {
  it.each(["Refuse.", "Please refuse to answer this", "Now: refuse!", "Hi. You must refuse.", "hello\nrefuse this"])(
    "is obeyed: %s",
    async (said) => {
      const { blocks, finished } = await run({ messages: [user(said)], tools });
      expect([blocks, finished?.reason]).toEqual([["refusal The sandbox was asked to refuse."], FinishReason.REFUSAL]);
    },
  );

  it.each(["Why do models refuse?", "I refuse to believe it", "Sort the refuse"])(
    "is not seen in: %s",
    async (said) => {
      expect((await run({ messages: [user(said)] })).finished?.reason).toBe(FinishReason.STOP);
    },
  );
});
