import { describe, expect, it } from "vitest";
import { Dialect, ReasoningEffort, Role, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { decodeRequest as decodeMessages } from "../../../../src/formats/messages/request/decode-request.ts";
import { decodeRequest as decodeResponses } from "../../../../src/formats/responses/request/decode-request.ts";
import type { ToolRules } from "../../../../src/formats/shared/tool-forms/tool-rules.ts";
import { withToolForms } from "../../../../src/formats/shared/tool-forms/with-tool-forms.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent } from "../../../../src/hub/events.ts";
import type { HubInput } from "../../../../src/hub/input.ts";
import type { Upstream, UpstreamTarget } from "../../../../src/hub/upstream.ts";

const FUNCTIONS: ToolRules = { maxLength: 64, customTools: "none" };
const target = {} as unknown as UpstreamTarget;

/** Returns what an upstream of such rules gets, and a way to hear what the caller hears of its events. */
function prepare(input: HubInput, rules: ToolRules = FUNCTIONS, losses: readonly string[] = []) {
  const got: HubInput[] = [];
  let answer: GenerateEvent[][] = [];
  const upstream: Upstream = {
    name: "u",
    prepare(asked) {
      got.push(asked);
      return {
        losses,
        async send(sink) {
          for (const batch of answer) await sink(batch);
        },
      };
    },
  };
  const call = withToolForms(upstream, rules).prepare(input, target);
  const [seen] = got;
  if (seen === undefined) throw new Error("nothing was prepared");
  const hear = async (batches: GenerateEvent[][]): Promise<GenerateEvent[]> => {
    answer = batches;
    const heard: GenerateEvent[] = [];
    await call.send((events) => void heard.push(...events), new AbortController().signal);
    return heard;
  };
  return { seen, call, hear };
}

const namesOf = ({ tools }: HubInput) =>
  tools.map(({ kind }) => `${kind.case} ${kind.case === "opaque" ? "" : kind.value?.name}`);
const responses = (body: object) => decodeResponses({ model: "m", ...body }).input;
const fn = (name: string, members: object = {}) => ({ type: "function", name, ...members });
const EXEC = { type: "custom", name: "exec", description: "Runs code.", format: { type: "text" } };
const said = { role: "user", content: "Hi" };

describe("withToolForms()", () => {
  it("puts tools that stand in the input into the list, those of namespaces too", () => {
    const tools = [fn("look"), { type: "namespace", name: "shell", tools: [fn("read"), EXEC] }];
    const input = responses({ input: [{ type: "additional_tools", role: "developer", tools }, said] });
    const { seen } = prepare(input);
    expect(namesOf(seen)).toEqual(["function look", "function shell__read", "function shell__exec"]);
    expect(seen.messages.map(({ role }) => role)).toEqual([Role.USER]);
    const own = prepare(input, { maxLength: 64, ownDialect: Dialect.RESPONSES, customTools: "any" });
    expect(own.seen).toBe(input);
  });

  it("names places behind such an item as the caller has them", () => {
    const items = [{ type: "additional_tools", tools: [fn("a"), fn("b", { strict: true })] }, said];
    const { call } = prepare(responses({ tools: [fn("c")], input: items }), FUNCTIONS, [
      "messages[0].content[0]",
      "tools[2].strict",
      "tools[0].strict",
    ]);
    expect(call.losses).toEqual(["messages[1].content[0]", "messages[0].extension.tools[1].strict", "tools[0].strict"]);
  });

  it("asks for the settings of the latest updates in the input", () => {
    const update = (members: object) => ({ type: "configuration_update", ...members });
    const format = { type: "json_schema", name: "a", schema: { type: "object" }, strict: true };
    const items = [
      said,
      update({ id: "cu_1", reasoning: { effort: "high" } }),
      update({ reasoning: { effort: "low" }, text: { format } }),
      said,
      update({ x: 1 }),
    ];
    const input = responses({ reasoning: { effort: "medium", summary: "auto" }, input: items });
    const { seen, call } = prepare(input, FUNCTIONS, ["messages[1].content[0]", "messages[2]"]);
    expect(seen.reasoning).toMatchObject({ effort: ReasoningEffort.LOW, summary: "auto" });
    expect(seen.outputFormat?.kind.value).toMatchObject({ name: "a", schemaJson: '{"type":"object"}', strict: true });
    expect(seen.messages).toEqual([input.messages[0], input.messages[3], input.messages[4]]);
    // What says more than that stays where it is, for the format to lose.
    expect(call.losses).toEqual(["messages[3].content[0]", "messages[4]"]);
    const own = prepare(input, { maxLength: 64, ownDialect: Dialect.RESPONSES, customTools: "any" });
    expect(own.seen).toBe(input);
  });

  it("asks for nothing where an update has null for a setting, or says that it is done", () => {
    const update = (members: object) => ({ type: "configuration_update", status: "completed", ...members });
    const items = [update({ reasoning: { effort: null }, text: null }), said, update({ reasoning: { effort: "low" } })];
    const { seen } = prepare(responses({ input: items }));
    expect(seen.reasoning?.effort).toBe(ReasoningEffort.LOW);
    expect(seen.messages.map(({ role }) => role)).toEqual([Role.USER]);
  });

  it("takes the name of a result for its call's, and leaves another one to be lost", () => {
    const call = { type: "function_call", call_id: "c1", name: "clock", arguments: "{}" };
    const output = (name: string) => ({ type: "function_call_output", call_id: "c1", name, output: "12:00" });
    const extensionsOf = (name: string) =>
      prepare(responses({ input: [said, call, output(name)] })).seen.messages.map(({ extension }) => extension?.json);
    expect(extensionsOf("clock")).toEqual([undefined, undefined, undefined]);
    expect(extensionsOf("other")).toEqual([undefined, undefined, '{"name":"other"}']);
  });

  it("takes the latest definition of a tool that comes again", () => {
    const again = { type: "additional_tools", tools: [fn("look", { description: "New." })] };
    const { seen } = prepare(responses({ tools: [fn("look"), fn("read")], input: [again, said] }));
    expect(seen.tools.map(({ kind }) => kind.value)).toMatchObject([
      { name: "look", description: "New." },
      { name: "read" },
    ]);
  });

  it.each([
    ["no list", {}, "messages[0].extension.tools"],
    ["a tool that is none", { tools: [7] }, "messages[0].extension.tools[0]"],
    ["a tool without a name", { tools: [{ type: "function" }] }, "messages[0].extension.tools[0].name"],
    ["a tool without a type", { tools: [{ name: "look" }] }, "messages[0].extension.tools[0].type"],
  ])("refuses %s", (_what, members, param) => {
    const input = responses({ input: [{ type: "additional_tools", ...members }, said] });
    expect(() => prepare(input)).toThrow(expect.objectContaining({ facts: expect.objectContaining({ param }) }));
  });

  it("has custom tools called as functions, and gives their calls back", async () => {
    const grammar = { type: "grammar", syntax: "lark", definition: "start: /.+/" };
    const patch = { type: "custom", name: "patch", format: grammar };
    const call = { type: "custom_tool_call", call_id: "c1", name: "exec", input: 'say("hi")' };
    const output = { type: "custom_tool_call_output", call_id: "c1", output: "hi" };
    const input = responses({
      tools: [EXEC, patch],
      tool_choice: { type: "custom", name: "exec" },
      input: [said, call, output],
    });
    const { seen, call: prepared, hear } = prepare(input);
    expect(prepared.losses).toEqual(["tools[1].format_json"]);
    expect(seen.tools[0]?.kind).toMatchObject({ case: "function", value: { name: "exec", description: "Runs code." } });
    expect(
      JSON.parse(String(seen.tools[0]?.kind.case === "function" && seen.tools[0].kind.value.parametersJson)),
    ).toMatchObject({
      properties: { input: { type: "string" } },
      required: ["input"],
    });
    expect(seen.tools[1]?.kind).toMatchObject({
      value: { description: "The input must obey this lark grammar:\nstart: /.+/" },
    });
    expect(seen.toolChoice?.kind).toBe(ToolKind.FUNCTION);
    expect(seen.messages.slice(1).map(({ content }) => content[0]?.kind.value)).toMatchObject([
      { kind: ToolKind.FUNCTION, arguments: '{"input":"say(\\"hi\\")"}' },
      { kind: ToolKind.FUNCTION },
    ]);
    const use = { id: "c2", name: "exec", kind: ToolKind.FUNCTION };
    const heard = await hear([
      [blockStartEvent(0, { kind: { case: "toolUse", value: use } })],
      [blockDeltaEvent(0, { case: "arguments", value: '{"input":"a\\n' })],
      [blockDeltaEvent(0, { case: "arguments", value: 'b"}' }), blockEndEvent(0)],
    ]);
    const restored = { ...use, kind: ToolKind.CUSTOM, arguments: "a\nb" };
    expect(heard).toMatchObject([
      { event: { case: "blockStart", value: { block: { kind: { case: "toolUse", value: restored } } } } },
      { event: { case: "blockEnd" } },
    ]);
  });

  it.each([
    ['{"patch":"*** Begin"}', "*** Begin"],
    ['{"input":"cut off \\u00', "cut off "],
    ['{"input":"cut \\\\', "cut \\"],
    ["*** Begin", "*** Begin"],
    ['{"input":7}', '{"input":7}'],
  ])("reads %j as an input", async (text, expected) => {
    const { hear } = prepare(responses({ tools: [EXEC], input: "Hi" }));
    const value = { id: "c", name: "exec", arguments: text };
    const [start] = await hear([[blockStartEvent(0, { kind: { case: "toolUse", value } }), blockEndEvent(0)]]);
    expect(start).toMatchObject({ event: { value: { block: { kind: { value: { arguments: expected } } } } } });
  });

  it("leaves custom tools to upstreams that take them of such a caller", () => {
    const input = responses({ tools: [EXEC], input: "Hi" });
    expect(prepare(input, { maxLength: 64, customTools: "any" }).seen).toBe(input);
    const chat = { ...input, dialect: Dialect.CHAT };
    expect(prepare(chat, { maxLength: 64, customTools: Dialect.CHAT }).seen).toBe(chat);
    expect(namesOf(prepare(input, { maxLength: 64, customTools: Dialect.CHAT }).seen)).toEqual(["function exec"]);
  });

  it("has the user say a summary of the conversation in place of what came before it", () => {
    const block = { type: "compaction", content: "They talked about Oslo." };
    const messages = [
      { role: "user", content: "Oslo?" },
      { role: "assistant", content: [{ type: "text", text: "Old." }, block, { type: "text", text: "New." }] },
      { role: "user", content: "Go on." },
    ];
    const { input } = decodeMessages({ model: "m", max_tokens: 9, messages });
    const losses = ["messages[0].content[0]", "messages[1].content[0]", "messages[2].content[0]", "tools[0]"];
    const { seen, call } = prepare(input, FUNCTIONS, losses);
    expect(seen.messages.map(({ role, content }) => [role, content.map(({ kind }) => kind.value)])).toMatchObject([
      [Role.USER, [{ text: "They talked about Oslo." }]],
      [Role.ASSISTANT, [{ text: "New." }]],
      [Role.USER, [{ text: "Go on." }]],
    ]);
    expect(call.losses).toEqual([
      "messages[1].content[1]",
      "messages[1].content[2]",
      "messages[2].content[0]",
      "tools[0]",
    ]);
    expect(prepare(input, { maxLength: 128, ownDialect: Dialect.MESSAGES, customTools: "none" }).seen).toBe(input);
  });

  describe("tools that are loaded later", () => {
    const tool = (name: string, members: object = {}) => ({
      name,
      description: `${name}.`,
      input_schema: { type: "object" },
      ...members,
    });
    const DEFERRED = tool("echo", { defer_loading: true });
    const found = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "ToolSearch", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "tool_reference", tool_name: "echo" }] }],
      },
    ];
    const messages = (body: object) => decodeMessages({ model: "m", max_tokens: 9, messages: [said], ...body }).input;

    it("stay away until the conversation has found them, and are written where it did", () => {
      const tools = [tool("ToolSearch"), DEFERRED, tool("other", { defer_loading: true })];
      expect(namesOf(prepare(messages({ tools })).seen)).toEqual(["function ToolSearch"]);
      const { seen } = prepare(messages({ tools, messages: found }));
      expect(namesOf(seen)).toEqual(["function ToolSearch", "function echo"]);
      expect(seen.tools[1]?.extension).toBeUndefined();
      const schema = '{"description":"echo.","name":"echo","parameters":{"type":"object"}}';
      expect(seen.messages[2]?.content[0]?.kind.value).toMatchObject({
        content: [
          { kind: { case: "text", value: { text: `<functions>\n<function>${schema}</function>\n</functions>` } } },
        ],
      });
    });

    it("go out behind all others, in the order in which they came into use", () => {
      const tools = [tool("b", { defer_loading: true }), tool("ToolSearch"), DEFERRED, tool("Read")];
      const call = { type: "tool_use", id: "t2", name: "b", input: {} };
      const more = [
        ...found,
        { role: "assistant", content: [call] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: "1" }] },
      ];
      const [first, second] = [found, more].map((all) => namesOf(prepare(messages({ tools, messages: all })).seen));
      expect(first).toEqual(["function ToolSearch", "function Read", "function echo"]);
      expect(second).toEqual(["function ToolSearch", "function Read", "function echo", "function b"]);
      const { call: prepared } = prepare(messages({ tools, messages: found }), FUNCTIONS, ["tools[1].strict"]);
      expect(prepared.losses).toEqual(["tools[3].strict"]);
    });

    it("go out where the provider would have searched, or where there is nothing else", () => {
      const hosted = { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" };
      expect(namesOf(prepare(messages({ tools: [hosted, DEFERRED] })).seen)).toEqual(["function echo"]);
      expect(namesOf(prepare(messages({ tools: [DEFERRED] })).seen)).toEqual(["function echo"]);
    });

    it("go out where the provider has found them for another model", () => {
      const references = [{ type: "tool_reference", tool_name: "echo" }];
      const content = { type: "tool_search_tool_search_result", tool_references: references };
      const result = { type: "tool_search_tool_result", tool_use_id: "srvtoolu_1", content };
      const all = [said, { role: "assistant", content: [result, { type: "text", text: "Found." }] }, said];
      const input = messages({ tools: [tool("Read"), DEFERRED], messages: all });
      expect(namesOf(prepare(input).seen)).toEqual(["function Read", "function echo"]);
    });

    it("stay as they are for upstreams of their own format", () => {
      const input = messages({ tools: [tool("ToolSearch"), DEFERRED], messages: found });
      expect(prepare(input, { maxLength: 128, ownDialect: Dialect.MESSAGES, customTools: "none" }).seen).toBe(input);
    });

    const search = { type: "tool_search", execution: "client", description: "Finds.", parameters: { type: "object" } };
    it.each([
      ["in the list of tools", { tools: [search] }, []],
      ["among tools in the input", {}, [{ type: "additional_tools", role: "developer", tools: [search] }]],
    ])("are searched for by a function where the client of Responses searches, %s", async (_where, listed, brings) => {
      const call = { type: "tool_search_call", call_id: "s1", execution: "client", arguments: { goal: "echo" } };
      const brought = [fn("echo", { defer_loading: true, parameters: {} })];
      const output = { type: "tool_search_output", call_id: "s1", execution: "client", tools: brought };
      const { seen, hear } = prepare(responses({ ...listed, input: [...brings, said, call, output] }));
      expect(namesOf(seen)).toEqual(["function tool_search", "function echo"]);
      expect(seen.messages.map(({ content }) => content[0]?.kind)).toMatchObject([
        { case: "text" },
        { case: "toolUse", value: { id: "s1", name: "tool_search", arguments: '{"goal":"echo"}' } },
        {
          case: "toolResult",
          value: { toolUseId: "s1", content: [{ kind: { value: { text: expect.stringContaining('"echo"') } } }] },
        },
      ]);
      const value = { id: "s2", name: "tool_search", arguments: '{"goal":"b"}' };
      const [start] = await hear([[blockStartEvent(0, { kind: { case: "toolUse", value } }), blockEndEvent(0)]]);
      const kind = start?.event.case === "blockStart" ? start.event.value.block?.kind : undefined;
      expect(kind?.case === "opaque" && JSON.parse(kind.value.json)).toEqual({
        id: "tsc_s2",
        type: "tool_search_call",
        call_id: "s2",
        execution: "client",
        status: "completed",
        arguments: { goal: "b" },
      });
    });
  });
});
