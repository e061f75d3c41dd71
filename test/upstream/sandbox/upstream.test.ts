import { describe, expect, it } from "vitest";
import { Dialect, ReasoningEffort, ToolChoiceMode } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  finishedEvent,
  startedEvent,
} from "../../../src/hub/events.ts";
import { createSandboxUpstream } from "../../../src/upstream/sandbox/upstream.ts";
import { type InputInit, idsOf, inputOf, run, TARGET, tool, user, WEATHER } from "./harness.ts";

const tools = [tool("get_time"), tool("get_weather", WEATHER), tool("send_mail")];
const mode = (value: ToolChoiceMode, more: object = {}) => ({ toolChoice: { mode: value, ...more } });

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
    expect(error?.message).toBe("the prompt has 10001 tokens, and the model accepts 10000: shorten it");
    expect(error?.facts).toMatchObject({ upstream: "sandbox", upstreamStatus: 400 });
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
      "tool_choice: requires a call, but the request has no tool that the sandbox can call",
    ],
    [
      "a schema without a value",
      { dialect: Dialect.CHAT, tools: [tool("a"), tool("f", none)], messages: [user("f")] },
      "tools[1].parameters_json: of the tool 'f': the sandbox finds no object that the schema accepts",
    ],
    [
      "arguments that are no object",
      { dialect: Dialect.MESSAGES, tools: [tool("f", { type: "string" })] },
      "tools[0].parameters_json: of the tool 'f': the sandbox finds no object that the schema accepts",
    ],
    [
      "a schema that is none",
      {
        dialect: Dialect.RESPONSES,
        outputFormat: { kind: { case: "jsonSchema", value: { schemaJson: '{"type":"text"}' } } },
      },
      "output_format.json_schema.schema_json: the schema is not valid: schema is invalid: data/type must be equal to one of the allowed values, data/type must be array, data/type must match a schema in anyOf",
    ],
    [
      "a schema that is no JSON",
      { dialect: Dialect.MESSAGES, outputFormat: { kind: { case: "jsonSchema", value: { schemaJson: "{" } } } },
      "output_format.json_schema.schema_json: the schema is not valid JSON",
    ],
  ] satisfies [string, InputInit, string][])("%s", async (_name, init, message) => {
    const { batches, error } = await run(init);
    expect(batches).toEqual([]);
    expect(error?.reason).toBe(ErrorReason.INVALID_REQUEST);
    expect(error?.message).toBe(message);
    expect(message.startsWith(`${error?.facts.param}: `)).toBe(true);
  });
});

describe("prepare()", () => {
  it("does nothing but list losses and read the directive", () => {
    const upstream = createSandboxUpstream("play");
    expect(upstream.name).toBe("play");
    expect(upstream.prepare(inputOf({ tools: [tool("f", { type: "nonsense" })] }), TARGET).losses).toEqual([]);
  });
});
