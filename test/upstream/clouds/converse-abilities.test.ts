import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CacheTtl, Dialect, ReasoningEffort, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../../support/scripted-upstream.ts";
import { callConverse, HELLO, type Input, said, whole } from "./call-converse.ts";

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
  scripted.answer(whole([{ text: "Hello" }]));
});

afterEach(() => scripted.close());

/** A schema as it goes out: objects that bind are closed. */
const SCHEMA =
  '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}';
const SHAPED = {
  ...HELLO,
  outputFormat: { kind: { case: "jsonSchema", value: { name: "", schemaJson: SCHEMA, strict: true } } },
  tools: [{ kind: { case: "function", value: { name: "get", parametersJson: SCHEMA, strict: true } } }],
} satisfies Input;

/** A text with a mark, of a lifetime if one is asked. */
const marked = (text: string, ttl: CacheTtl = CacheTtl.CACHE_TTL_UNSPECIFIED) => ({
  kind: { case: "text" as const, value: { text } },
  cacheMark: { ttl },
});

const result = { toolUseId: "t1", content: [{ kind: { case: "text" as const, value: { text: "4" } } }] };

const MARKED = {
  ...HELLO,
  system: [marked("Be brief", CacheTtl.CACHE_TTL_1H)],
  messages: [
    { role: Role.USER, content: [marked("Weather?", CacheTtl.CACHE_TTL_5M)] },
    {
      role: Role.ASSISTANT,
      content: [{ kind: { case: "toolUse", value: { id: "t1", name: "get", arguments: "{}" } } }],
    },
    { role: Role.TOOL, content: [{ kind: { case: "toolResult", value: result }, cacheMark: {} }] },
  ],
  tools: [
    {
      kind: { case: "function", value: { name: "get", parametersJson: '{"type":"object"}' } },
      cacheMark: { ttl: CacheTtl.CACHE_TTL_1H },
    },
  ],
} satisfies Input;

const SPEC = { toolSpec: { name: "get", inputSchema: { json: { type: "object" } } } };

describe("structured output of Converse", () => {
  it("is asked for where models have it: a schema as text, and tools that bind", async () => {
    const { sent, losses } = await callConverse(scripted, SHAPED, { settings: { structuredOutput: true } });
    expect(sent.outputConfig).toEqual({
      textFormat: { type: "json_schema", structure: { jsonSchema: { schema: SCHEMA } } },
    });
    expect(sent.toolConfig.tools).toEqual([
      { toolSpec: { name: "get", inputSchema: { json: JSON.parse(SCHEMA) }, strict: true } },
    ]);
    expect(losses).toEqual([]);
  });

  it("is a loss where nobody says so", async () => {
    const { sent, losses } = await callConverse(scripted, SHAPED);
    expect([Object.hasOwn(sent, "outputConfig"), sent.toolConfig.tools[0].toolSpec.strict]).toEqual([false, undefined]);
    expect(losses.toSorted()).toEqual(["output_format", "tools[0].strict"]);
  });
});

describe("efforts of Converse", () => {
  const reasoning = { effort: ReasoningEffort.XHIGH };

  it("go out where models take them, of a caller of Messages", async () => {
    const dialect = Dialect.MESSAGES;
    const { sent, losses } = await callConverse(
      scripted,
      { ...HELLO, reasoning },
      { dialect, settings: { effort: true } },
    );
    expect([sent.outputConfig, losses]).toEqual([{ effort: "xhigh" }, []]);
    const without = await callConverse(scripted, { ...HELLO, reasoning }, { dialect });
    expect([Object.hasOwn(without.sent, "outputConfig"), without.losses]).toEqual([false, ["reasoning.effort"]]);
  });

  it.each([
    ["Chat", Dialect.CHAT],
    ["RPC", Dialect.UNSPECIFIED],
  ])("go out beside a schema and a temperature, of a caller of %s", async (_, dialect) => {
    const input = { ...SHAPED, reasoning: { effort: ReasoningEffort.LOW }, temperature: 0.5 } satisfies Input;
    const { sent, losses } = await callConverse(scripted, input, {
      dialect,
      settings: { effort: true, structuredOutput: true },
    });
    expect(sent.outputConfig).toEqual({
      effort: "low",
      textFormat: { type: "json_schema", structure: { jsonSchema: { schema: SCHEMA } } },
    });
    expect([sent.inferenceConfig.temperature, losses]).toEqual([0.5, []]);
  });

  it("take no temperature with them where they are lost", async () => {
    const input = { ...HELLO, reasoning, temperature: 0.5 } satisfies Input;
    const { sent, losses } = await callConverse(scripted, input);
    expect([sent.inferenceConfig.temperature, losses]).toEqual([0.5, ["reasoning.effort"]]);
  });

  it.each([
    ["auto", []],
    ["standard_only", ["extension.service_tier"]],
  ])("has no tiers of Messages: %s", async (tier, expected) => {
    const extension = { dialect: Dialect.MESSAGES, json: JSON.stringify({ service_tier: tier }) };
    const { losses } = await callConverse(scripted, { ...HELLO, extension }, { dialect: Dialect.MESSAGES });
    expect(losses).toEqual(expected);
  });
});

describe("cache points of Converse", () => {
  it("stand behind what is marked, for an hour where asked", async () => {
    const { sent, losses } = await callConverse(scripted, MARKED, { settings: { cachePoints: "all" } });
    const hour = { cachePoint: { type: "default", ttl: "1h" } };
    expect(sent.toolConfig.tools).toEqual([SPEC, hour]);
    expect(sent.system).toEqual([{ text: "Be brief" }, hour]);
    expect(sent.messages).toEqual([
      { role: "user", content: [{ text: "Weather?" }, { cachePoint: { type: "default", ttl: "5m" } }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "t1", name: "get", input: {} } }] },
      {
        role: "user",
        content: [{ toolResult: { toolUseId: "t1", content: [{ text: "4" }] } }, { cachePoint: { type: "default" } }],
      },
    ]);
    expect(losses).toEqual([]);
  });

  it("stand in instructions and messages alone, without a lifetime, where tools take none", async () => {
    const { sent, losses } = await callConverse(scripted, MARKED, {
      dialect: Dialect.MESSAGES,
      settings: { cachePoints: "prompt" },
    });
    const point = { cachePoint: { type: "default" } };
    expect(sent.toolConfig.tools).toEqual([SPEC]);
    expect(sent.system).toEqual([{ text: "Be brief" }, point]);
    expect(sent.messages[0].content).toEqual([{ text: "Weather?" }, point]);
    expect(losses.toSorted()).toEqual(["system[0].cache_mark.ttl", "tools[0].cache_mark"]);
  });

  it("are losses where nobody says that models take them", async () => {
    const { sent, losses } = await callConverse(scripted, MARKED);
    expect(JSON.stringify(sent)).not.toContain("cachePoint");
    expect(losses).toContain("tools[0].cache_mark");
  });

  it("end a request whose mark is automatic, once", async () => {
    const automatic = { ...HELLO, automaticCacheMark: {} };
    const point = { cachePoint: { type: "default" } };
    const { sent, losses } = await callConverse(scripted, automatic, { settings: { cachePoints: "prompt" } });
    expect([sent.messages[0].content, losses]).toEqual([[{ text: "Say hello" }, point], []]);
    const both = { ...automatic, messages: [{ role: Role.USER, content: [marked("Hi")] }] };
    const again = await callConverse(scripted, both, { settings: { cachePoints: "prompt" } });
    expect(again.sent.messages[0].content).toEqual([{ text: "Hi" }, point]);
    const five = { ...both, automaticCacheMark: { ttl: CacheTtl.CACHE_TTL_5M } };
    const longer = await callConverse(scripted, five, { settings: { cachePoints: "all" } });
    expect(longer.sent.messages[0].content).toEqual([{ text: "Hi" }, { cachePoint: { type: "default", ttl: "5m" } }]);
    const { losses: lost } = await callConverse(scripted, automatic);
    expect(lost).toEqual(["automatic_cache_mark"]);
  });

  it("do not stand in a result of a tool, nor where nothing precedes them", async () => {
    const inside = { toolUseId: "t1", content: [marked("4")] };
    const input = {
      ...MARKED,
      system: [],
      messages: [
        said(Role.USER, "Weather?"),
        {
          role: Role.ASSISTANT,
          content: [{ kind: { case: "toolUse", value: { id: "t1", name: "get", arguments: "{}" } } }],
        },
        { role: Role.TOOL, content: [{ kind: { case: "toolResult", value: inside } }] },
      ],
    } satisfies Input;
    const { sent, losses } = await callConverse(scripted, input, {
      dialect: Dialect.MESSAGES,
      settings: { cachePoints: "all" },
    });
    expect(sent.messages[2].content).toEqual([{ toolResult: { toolUseId: "t1", content: [{ text: "4" }] } }]);
    expect(losses).toEqual(["messages[2].content[0].content[0].cache_mark"]);
  });

  it("lose what a mark says and a point cannot", async () => {
    const input = createHubInput({
      ...HELLO,
      messages: [
        {
          role: Role.USER,
          content: [
            {
              ...marked("Hi"),
              extension: { dialect: Dialect.MESSAGES, json: '{"cache_control":{"ttl":"2h","scope":"global"}}' },
            },
          ],
        },
      ],
    });
    const { sent, losses } = await callConverse(scripted, input, {
      dialect: Dialect.MESSAGES,
      settings: { cachePoints: "all" },
    });
    expect(sent.messages[0].content).toEqual([{ text: "Hi" }, { cachePoint: { type: "default" } }]);
    expect(losses.toSorted()).toEqual([
      "messages[0].content[0].cache_mark.ttl",
      "messages[0].content[0].extension.cache_control.scope",
    ]);
  });
});
