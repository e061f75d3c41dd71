import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContentBlockSchema, Role, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { AnswerRule } from "../../../src/catalog/model.ts";
import { createHubInput, type HubInit } from "../../../src/hub/input.ts";
import { checkAnswer } from "../../../src/inference/checks/check-answer.ts";
import type {
  JudgeTexts,
  TextByWebhook,
  TextJudgement,
  TextToJudge,
} from "../../../src/inference/checks/check-thread.ts";
import { createJudge, type Judges } from "../../../src/inference/checks/judge-texts.ts";
import { requestedForm } from "../../../src/inference/checks/requested-form.ts";
import { SchemaJudge } from "../../../src/inference/checks/schema-judge.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

const text = (value: string): Block => ({ kind: { case: "text", value: { text: value } } });
const refusal = (value: string): Block => ({ kind: { case: "refusal", value: { text: value } } });
const thinking = (value: string): Block => ({ kind: { case: "thinking", value: { text: value } } });
const call = (name: string, args: string, kind: ToolKind = ToolKind.FUNCTION): Block => ({
  kind: { case: "toolUse", value: { id: "c1", name, arguments: args, kind } },
});
const answerOf = (content: Block[], reason: FinishReason = FinishReason.STOP) =>
  create(GenerateResponseSchema, { id: "i", content, finished: { reason } });

const schemas = new SchemaJudge();
/** As the thread judges, in this one. */
const bySchema: Judges["bySchema"] = async (texts) =>
  schemas
    .judge(
      texts.map(({ text, schemaJson, root }) => ({
        text: { json: text },
        root,
        schema: schemaJson === undefined ? undefined : { json: schemaJson, digest: schemaJson },
      })),
    )
    .judgements.map((said) => (said === "unusable" || said === "slow" ? undefined : said));
const judgeWith =
  (byWebhook: Judges["byWebhook"]): JudgeTexts =>
  (texts, signal) =>
    createJudge({ bySchema, byWebhook })(texts, { projectId: "project", signal });
const judge = judgeWith(async (texts) => texts.map(() => undefined));

const SCHEMA = JSON.stringify({
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
});
const jsonObject: HubInit = { outputFormat: { kind: { case: "jsonObject", value: {} } } };
const jsonSchema: HubInit = {
  outputFormat: { kind: { case: "jsonSchema", value: { name: "s", schemaJson: SCHEMA } } },
};
const tool = (name: string, parametersJson?: string) => ({
  kind: { case: "function" as const, value: { name, ...(parametersJson !== undefined && { parametersJson }) } },
});
const withTool: HubInit = { tools: [tool("count", SCHEMA), tool("ping")] };

async function check(init: HubInit, content: Block[], reason?: FinishReason, rules: AnswerRule[] = []) {
  const form = requestedForm(createHubInput(init), rules);
  if (form === undefined) throw new Error("nothing is asked of the form");
  return await checkAnswer(answerOf(content, reason), form, judge);
}

describe("requestedForm()", () => {
  it("is undefined where nothing can be checked", () => {
    expect(requestedForm(createHubInput({ messages: [] }))).toBeUndefined();
    expect(requestedForm(createHubInput({ outputFormat: { kind: { case: "text", value: {} } } }))).toBeUndefined();
  });

  it("takes a rule of the model for a form that was asked for, where it is for the workload", () => {
    const rules = [{ workload: "years", pattern: "^1" }];
    expect(requestedForm(createHubInput({ workload: "years" }), rules)).toMatchObject({ isStructured: true, rules });
    expect(requestedForm(createHubInput({ workload: "others" }), rules)).toBeUndefined();
  });

  it("takes JSON, and tools whose schema binds, for a form that was asked for, and other tools for an offer", () => {
    const strict = { kind: { case: "function" as const, value: { name: "a", strict: true } } };
    expect(requestedForm(createHubInput(jsonObject))?.isStructured).toBe(true);
    expect(requestedForm(createHubInput(jsonSchema))?.isStructured).toBe(true);
    expect(requestedForm(createHubInput({ tools: [strict] }))?.isStructured).toBe(true);
    expect(requestedForm(createHubInput(withTool))?.isStructured).toBe(false);
  });

  it("asks nothing of a text that the caller has begun", () => {
    const messages = [{ role: Role.ASSISTANT, content: [text("{")] }];
    expect(requestedForm(createHubInput({ ...jsonObject, messages }), [{ pattern: "^1$" }])).toBeUndefined();
  });
});

describe("checkAnswer()", () => {
  it.each<[string, HubInit, Block[], FinishReason | undefined, string[], boolean]>([
    ["an object", jsonObject, [text('{"a":1}')], undefined, [], false],
    ["an array for an object", jsonObject, [text("[1]")], undefined, ["schema_mismatch"], true],
    ["no JSON", jsonObject, [text("Sure! {}")], undefined, ["invalid_json"], true],
    ["JSON in a fence", jsonObject, [text("```json\n{}\n```")], undefined, ["invalid_json"], true],
    ["what the schema accepts", jsonSchema, [text('{"n":1}')], undefined, [], false],
    ["what it does not", jsonSchema, [text('{"n":1.5}')], undefined, ["schema_mismatch"], true],
    ["JSON in two blocks", jsonSchema, [text('{"n"'), text(":1}")], undefined, [], false],
    ["words before the JSON", jsonSchema, [text("Here it is:"), text('{"n":1}')], undefined, [], false],
    ["thinking before it", jsonSchema, [thinking("hm"), text('{"n":1}')], undefined, [], false],
    ["nothing at all", jsonSchema, [thinking("hm")], undefined, ["empty", "invalid_json"], true],
    ["what was cut", jsonSchema, [text('{"n":')], FinishReason.LENGTH, ["cut"], false],
    ["what a filter cut", jsonSchema, [text('{"n":')], FinishReason.CONTENT_FILTER, ["cut"], false],
    ["a refusal", jsonSchema, [refusal("No.")], undefined, ["refused"], false],
    ["a refusal by its reason", jsonSchema, [text("No.")], FinishReason.REFUSAL, ["refused"], false],
    ["a turn that goes on", jsonSchema, [text("so")], FinishReason.PAUSE, [], false],
    ["what the caller's own sequence cut", jsonSchema, [text('{"n":')], FinishReason.STOP_SEQUENCE, [], false],
    [
      "a call in place of a text",
      { ...jsonSchema, ...withTool },
      [text("One moment."), call("ping", "{}")],
      undefined,
      [],
      false,
    ],
    ["a valid call", withTool, [call("count", '{"n":3}')], FinishReason.TOOL_USE, [], false],
    ["a text where tools are offered", withTool, [text("Hello")], undefined, [], false],
    ["no text where tools are offered", withTool, [], undefined, ["empty"], false],
    ["arguments that are no JSON", withTool, [call("count", '{"n":3')], undefined, ["invalid_arguments"], true],
    ["arguments of another form", withTool, [call("count", '{"n":"3"}')], undefined, ["arguments_mismatch"], true],
    ["arguments that are no object", withTool, [call("ping", "[]")], undefined, ["arguments_mismatch"], true],
    ["no arguments", withTool, [call("ping", "")], undefined, [], false],
    ["no arguments where some are required", withTool, [call("count", "")], undefined, ["arguments_mismatch"], true],
    ["a tool that is not there", withTool, [call("pong", "{}")], undefined, ["unknown_tool"], true],
    ["a cut call", withTool, [call("count", '{"n"')], FinishReason.LENGTH, ["cut"], false],
  ])("judges %s", async (_, init, content, reason, failed, isRetryable) => {
    expect(await check(init, content, reason)).toMatchObject({ failed, isRetryable, isComplete: true });
  });

  it("takes any name for a tool's where definitions are opaque, and free text for what it is", async () => {
    const opaque = { kind: { case: "opaque" as const, value: { json: '{"type":"bash_20250124","name":"bash"}' } } };
    const custom = { kind: { case: "custom" as const, value: { name: "sql" } } };
    const verdict = await check({ tools: [opaque, custom] }, [
      call("bash", "{"),
      call("sql", "select", ToolKind.CUSTOM),
    ]);
    expect(verdict.failed).toEqual([]);
  });

  it("holds texts against the rules of the model, those of their workload and those of all", async () => {
    const rules = [{ workload: "years", pattern: "^\\d{4}$" }, { schemaJson: '{"type":["integer","object"]}' }];
    const failed = async (said: string, workload: string, init: HubInit = {}) =>
      (await check({ ...init, workload }, [text(said)], undefined, rules)).failed;
    expect(await failed("2026", "years")).toEqual([]);
    expect(await failed("20260", "years")).toEqual(["pattern_mismatch"]);
    expect(await failed("20260", "others")).toEqual([]);
    expect(await failed('"x"', "others")).toEqual(["schema_mismatch"]);
    expect(await failed("about 2026", "years")).toEqual(["pattern_mismatch", "invalid_json"]);
    expect(await failed('{"n":1}', "", jsonSchema)).toEqual([]);
    expect((await check({}, [text("1 ")], undefined, [{ pattern: "^1$" }])).isRetryable).toBe(true);
    expect((await check(withTool, [call("ping", "{}")], undefined, rules)).failed).toEqual([]);
  });

  it("has all of an answer judged at once, whose time is limited by that, however many rules there are", async () => {
    const rules = [{ pattern: "^a$", schemaJson: '{"const":"a"}' }, { pattern: "^b$" }];
    const form = requestedForm(createHubInput(jsonSchema), rules);
    if (form === undefined) throw new Error("nothing is asked");
    const asked: TextToJudge[][] = [];
    const content = [text("so: "), text('"a"')];
    const { failed, passed } = await checkAnswer(answerOf(content), form, async (texts) => {
      asked.push([...texts]);
      // Of each two the first is of both texts together, and the second of the last one alone.
      return ["invalid", "mismatch", "fits", "fits", "invalid", "fits", "mismatch", "invalid"];
    });
    expect({ failed, passed }).toEqual({ failed: ["schema_mismatch", "pattern_mismatch"], passed: 3 + 1 + 2 + 2 + 1 });
    const [pattern, other] = ["^a$", "^b$"].map((pattern) => JSON.stringify({ type: "string", pattern }));
    const both = (schemaJson: string | undefined, ...texts: string[]) =>
      texts.map((text) => ({ text, schemaJson, root: "any" }));
    expect(asked).toEqual([
      [
        ...both(SCHEMA, 'so: "a"', '"a"'),
        ...both(pattern, '"so: \\"a\\""', '"\\"a\\""'),
        ...both('{"const":"a"}', 'so: "a"', '"a"'),
        ...both(other, '"so: \\"a\\""', '"\\"a\\""'),
      ],
    ]);
  });

  it("passes more checks the nearer an answer is to what was asked", async () => {
    const passed = async (content: Block[], reason?: FinishReason) => (await check(jsonSchema, content, reason)).passed;
    const cut = await passed([text("{")], FinishReason.LENGTH);
    const [invalid, mismatch, right] = [
      await passed([text("{")]),
      await passed([text("{}")]),
      await passed([text('{"n":1}')]),
    ];
    expect([cut < invalid, invalid < mismatch, mismatch < right]).toEqual([true, true, true]);
  });

  describe("with webhooks", () => {
    const hook = (path: string) => ({
      webhook: { url: `http://h/${path}`, deadlineMs: 1, concurrency: 1, headers: {}, sendPrompt: false },
    });
    /** What webhooks say, by their paths; they are counted by what they were sent. */
    async function asking(said: Record<string, TextJudgement | undefined>, init: HubInit, content: Block[]) {
      const sent: TextByWebhook[] = [];
      const rules = Object.keys(said).map(hook);
      const byWebhook: Judges["byWebhook"] = async (texts) => {
        sent.push(...texts);
        return texts.map(({ webhook }) => said[webhook.url.slice("http://h/".length)]);
      };
      const form = requestedForm(createHubInput(init), rules);
      const verdict = await checkAnswer(answerOf(content), form, judgeWith(byWebhook));
      return { verdict, texts: sent.map(({ body }) => JSON.parse(body() ?? "").answer.text) };
    }

    it("passes what all of them let pass, which proves its form", async () => {
      const { verdict, texts } = await asking({ a: "fits", b: "fits" }, {}, [text("hello")]);
      expect(verdict).toMatchObject({ failed: [], isComplete: true, isProven: true, isRetryable: false });
      expect(texts).toEqual(["hello", "hello"]);
    });

    it("fails what one of them does not let pass, which another answer may do better", async () => {
      const { verdict } = await asking({ a: "fits", b: "mismatch" }, {}, [text("hello")]);
      expect(verdict).toMatchObject({ failed: ["webhook_rejected"], isProven: false, isRetryable: true });
    });

    it("holds it against nobody where one does not judge", async () => {
      const { verdict } = await asking({ a: undefined }, {}, [text("hello")]);
      expect(verdict).toMatchObject({ failed: [], isComplete: false, isProven: false, isRetryable: false });
    });

    it("sends calls of tools, empty answers and what the caller's own sequence cut", async () => {
      expect((await asking({ a: "mismatch" }, withTool, [call("ping", "{}")])).verdict.failed).toEqual([
        "webhook_rejected",
      ]);
      expect((await asking({ a: "mismatch" }, {}, [])).verdict.failed).toEqual(["empty", "webhook_rejected"]);
    });

    it.each<[string, HubInit, Block[]]>([
      ["is not of the form that was asked for", jsonSchema, [text("{}")]],
      ["calls a tool that is not there", withTool, [call("pong", "{}")]],
      ["refuses", {}, [refusal("no")]],
      [
        "goes on with what the caller began",
        { messages: [{ role: Role.ASSISTANT, content: [text("{")] }] },
        [text("x")],
      ],
    ])("sends nothing that %s", async (_, init, content) => {
      expect((await asking({ a: "fits" }, init, content)).texts).toEqual([]);
    });

    it("are asked for their own workload", async () => {
      const rules = [{ ...hook("a"), workload: "mail" }];
      expect(requestedForm(createHubInput({ workload: "mail" }), rules)).toMatchObject({ isStructured: true });
      expect(requestedForm(createHubInput({ workload: "others" }), rules)).toBeUndefined();
    });
  });

  it("says so where something could not be judged, and holds it against nobody", async () => {
    const form = requestedForm(createHubInput(jsonSchema));
    if (form === undefined) throw new Error("nothing is asked");
    const verdict = await checkAnswer(answerOf([text("no JSON")]), form, async (texts) => texts.map(() => undefined));
    expect(verdict).toMatchObject({ failed: [], isRetryable: false, isComplete: false });
  });

  it("accepts every JSON text as JSON, and no text from which its last character is missing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        const json = JSON.stringify(value);
        expect((await check(jsonObject, [text(json)])).failed).toEqual([]);
        expect((await check(jsonObject, [text(json.slice(0, -1))])).failed).toEqual(["invalid_json"]);
      }),
    );
  });

  it("looks at no more than whether it is whole where nothing is asked of the form", async () => {
    const verdictOf = (content: Block[], reason?: FinishReason) =>
      checkAnswer(answerOf(content, reason), undefined, judge);
    expect(await verdictOf([text("anything")])).toMatchObject({ failed: [], passed: 3, isProven: false });
    expect(await verdictOf([text("any")], FinishReason.LENGTH)).toMatchObject({ failed: ["cut"], passed: 2 });
    expect(await verdictOf([refusal("no")])).toMatchObject({ failed: ["refused"], passed: 2 });
    expect(await verdictOf([text(" ")])).toMatchObject({ failed: ["empty"], passed: 2 });
  });

  it.each<[string, HubInit, Block[], boolean]>([
    ["JSON that fits", jsonSchema, [text('{"n":1}')], true],
    ["JSON of another form", jsonSchema, [text('{"n":"1"}')], false],
    ["a call that fits", withTool, [call("count", '{"n":1}')], true],
    ["calls of which one does not fit", withTool, [call("count", '{"n":1}'), call("count", "{}")], false],
    ["a text where tools are offered", withTool, [text("1")], false],
  ])("says whether the form is proven: %s", async (_, init, content, isProven) => {
    expect((await check(init, content)).isProven).toBe(isProven);
  });
});
