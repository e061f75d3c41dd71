import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UNKNOWN_TOKENS } from "../../../../src/catalog/model.ts";
import { decodeRequest } from "../../../../src/formats/messages/request/decode-request.ts";
import { encodeRequest } from "../../../../src/formats/messages/request/encode-request.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../../src/formats/shared/json.ts";
import { asSent } from "../../shared/as-sent.ts";
import { target } from "./target.ts";

/** Through the hub and out again. */
const through = (body: JsonObject) => asSent(encodeRequest(decodeRequest(body).input, target));

const mark = fc.constantFrom({ type: "ephemeral" }, { type: "ephemeral", ttl: "5m" });
/** Blank texts of the assistant are left out. */
const words = fc.string({ minLength: 1, maxLength: 12 }).filter((value) => value.trim() !== "");
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const object = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), json, { maxKeys: 3 });
/** Members that no version of the format has. */
const extra = fc.dictionary(
  fc.stringMatching(/^x_[a-z]{1,4}$/),
  json.filter((value) => value !== null),
  { maxKeys: 2 },
);
const withExtra = (block: fc.Arbitrary<JsonObject>) =>
  fc.tuple(block, extra).map(([members, more]) => ({ ...members, ...more }));

const text = withExtra(fc.record({ type: fc.constant("text"), text: words }));
const image = withExtra(
  fc.record({
    type: fc.constant("image"),
    source: fc.oneof(
      fc.record({ type: fc.constant("base64"), media_type: fc.constant("image/png"), data: fc.constant("AAAA") }),
      fc.record({ type: fc.constant("url"), url: fc.constant("https://x.test/a.png") }),
      fc.record({ type: fc.constant("file"), file_id: words }),
    ),
  }),
);
const document = withExtra(
  fc.record({
    type: fc.constant("document"),
    source: fc.oneof(
      fc.record({ type: fc.constant("base64"), media_type: fc.constant("application/pdf"), data: fc.constant("AA") }),
      fc.record({ type: fc.constant("text"), media_type: fc.constant("text/plain"), data: words }),
      fc.record({ type: fc.constant("content"), content: fc.array(fc.oneof(text, image), { minLength: 1 }) }),
      fc.record({ type: fc.constant("url"), url: fc.constant("http://x.test/a.pdf") }),
    ),
    title: words,
    context: words,
    citations: fc.constant({ enabled: true }),
  }),
);
const searchResult = withExtra(
  fc.record({
    type: fc.constant("search_result"),
    source: words,
    title: words,
    content: fc.array(text, { minLength: 1 }),
    citations: fc.constant({ enabled: true }),
  }),
);
const unknown = withExtra(
  fc.record({ type: fc.constantFrom("search_result", "mcp_tool_use", "new"), id: words, input: object }),
);
const thinking = fc.oneof(
  withExtra(fc.record({ type: fc.constant("thinking"), thinking: fc.string(), signature: words })),
  withExtra(fc.record({ type: fc.constant("redacted_thinking"), data: words })),
);
const userBlock = fc.oneof(text, image, document, searchResult, unknown);

/** A turn of the assistant with calls, and the user's turn with their results. */
const toolTurns = fc
  .tuple(
    fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/), { minLength: 1, maxLength: 3 }),
    fc.array(fc.oneof(text, thinking, unknown), { maxLength: 2 }),
    fc.array(fc.oneof(text, image, unknown), { minLength: 1, maxLength: 2 }),
    fc.record({ input: object, is_error: fc.constant(true) }, { requiredKeys: ["input"] }),
  )
  .map(([ids, first, content, { input, ...failed }]) => [
    { role: "assistant", content: [...first, ...ids.map((id) => ({ type: "tool_use", id, name: "f", input }))] },
    { role: "user", content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content, ...failed })) },
  ]);

const plainTurns = fc
  .tuple(
    fc.array(userBlock, { minLength: 1, maxLength: 3 }),
    fc.array(fc.oneof(text, thinking), { minLength: 1 }),
    text,
  )
  .map(([user, assistant, system]) => [
    { role: "user", content: user },
    { role: "system", content: [system], x_id: "s" },
    { role: "assistant", content: assistant },
  ]);

const messages = fc
  .tuple(plainTurns, fc.array(fc.oneof(toolTurns, plainTurns), { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest].flat());

const tool = fc
  .tuple(
    fc.record({ name: fc.constant("f"), input_schema: object.map((schema) => ({ ...schema, type: "object" })) }),
    fc.record(
      { description: fc.string(), strict: fc.boolean(), cache_control: mark, defer_loading: fc.boolean() },
      { requiredKeys: [] },
    ),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));
const typedTool = fc.record({
  type: fc.constant("web_search_20260318"),
  name: fc.constant("web_search"),
  max_uses: fc.nat(),
});

const request = fc
  .tuple(
    fc.record({ model: fc.constant("attune/m"), max_tokens: fc.integer({ min: 1, max: 9999 }), messages }),
    fc.record(
      {
        system: fc.array(
          fc.tuple(text, mark).map(([block, cache_control]) => ({ ...block, cache_control })),
          {
            minLength: 1,
            maxLength: 2,
          },
        ),
        tools: fc.tuple(tool, typedTool).map((pair) => [...pair]),
        tool_choice: fc.constantFrom(
          { type: "auto" },
          { type: "any", disable_parallel_tool_use: true },
          { type: "tool", name: "f", disable_parallel_tool_use: false },
          { type: "none" },
          { type: "auto", x_new: 1 },
        ),
        temperature: fc.double({ min: 0, max: 1, noNaN: true }).filter((value) => !Object.is(value, -0)),
        top_p: fc.constant(0.5),
        top_k: fc.nat({ max: 100 }),
        stop_sequences: fc.array(words, { minLength: 1 }),
        thinking: fc.constantFrom(
          { type: "enabled", budget_tokens: 2048, display: "omitted" },
          { type: "adaptive", x_new: 1 },
          { type: "disabled" },
          { type: "between_tools" },
        ),
        output_config: fc.constantFrom(
          { effort: "low" },
          { effort: "max", format: { type: "json_schema", schema: { type: "object" } }, task_budget: { total: 9 } },
        ),
        metadata: fc.constantFrom({ user_id: "u" }, { user_id: "u", team: "t" }, { team: "t" }),
        cache_control: fc.constantFrom({ type: "ephemeral" }, { type: "ephemeral", ttl: "5m", scope: "global" }),
        container: words,
        context_management: object.filter((value) => Object.keys(value).length > 0),
        service_tier: fc.constant("auto"),
        x_unknown: json.filter((value) => value !== null),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));

/** Content in blocks: a string means the same as one block of text. */
function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (!isJsonObject(value)) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expand(member)]));
  const { content } = members;
  const holds = typeof content === "string" && (value["role"] !== undefined || hasBlocks(value));
  return holds ? { ...members, content: [{ type: "text", text: content }] } : members;
}

const hasBlocks = ({ type }: JsonObject) => type === "tool_result" || type === "content";

describe("encodeRequest()", () => {
  it("gives a request of the same format back as it came", () => {
    fc.assert(
      fc.property(request, (body) => {
        const { body: sent, losses } = through(structuredClone(body));
        expect(expand(parseJsonObject(sent))).toEqual(expand({ ...body, model: "claude-x", stream: true }));
        expect(losses).toEqual([]);
      }),
    );
  });

  it("sends the bytes of a small request, with exact numbers", () => {
    const body = parseJsonObject(`{
      "model": "attune/m", "max_tokens": 9, "system": "Be brief.",
      "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t.1", "name": "f", "input": {"n": 9007199254740993}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t.1"}]}
      ]
    }`);
    expect(through(body ?? {})).toEqual({
      body:
        '{"model":"claude-x","max_tokens":9,"system":"Be brief.","messages":[{"role":"user","content":"Hi"},' +
        '{"role":"assistant","content":[{"type":"tool_use","id":"t_1_61a4dd05ca40","name":"f","input":{"n":9007199254740993}}]},' +
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t_1_61a4dd05ca40"}]}],"stream":true}',
      losses: [],
    });
  });

  it("marks what Anthropic takes only with a beta header", () => {
    const { headers } = through({
      model: "m",
      max_tokens: 1,
      messages: [{ role: "user", content: "x" }],
      context_management: { edits: [] },
      mcp_servers: [],
      speed: "fast",
      output_config: { task_budget: { total: 1 } },
    });
    expect(headers).toEqual({
      "anthropic-beta":
        "context-management-2025-06-27,mcp-client-2025-11-20,fast-mode-2026-02-01,task-budgets-2026-03-13",
    });
  });

  it("leaves out thinking without a signature, and names it", () => {
    const { body, losses } = through({
      model: "m",
      max_tokens: 1,
      messages: [
        { role: "user", content: "x" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "" },
            { type: "text", text: "y" },
          ],
        },
        { role: "user", content: "z" },
      ],
    });
    expect(parseJsonObject(body)?.["messages"]).toEqual([
      { role: "user", content: "x" },
      { role: "assistant", content: "y" },
      { role: "user", content: "z" },
    ]);
    expect(losses).toEqual(["messages[1].content[0]"]);
  });

  it("asks for 8,192 tokens at most where neither the caller nor the model sets a limit", () => {
    const { input } = decodeRequest({ model: "m", max_tokens: 1, messages: [{ role: "user", content: "x" }] });
    const asked = { ...input, maxOutputTokens: undefined };
    const limitFor = (maxOutputTokens: number) =>
      parseJsonObject(asSent(encodeRequest(asked, { ...target, model: { ...target.model, maxOutputTokens } })).body);
    expect(limitFor(UNKNOWN_TOKENS)).toMatchObject({ max_tokens: 8192 });
    expect(limitFor(20_000)).toMatchObject({ max_tokens: 20_000 });
  });

  it("fills the cache without an answer, where the upstream is not asked for a stream", () => {
    const { input } = decodeRequest({ model: "m", max_tokens: 0, messages: [{ role: "user", content: "x" }] });
    const { body } = asSent(encodeRequest(input, { ...target, streamed: false }));
    expect(parseJsonObject(body)).toMatchObject({ max_tokens: 0 });
    expect(() => encodeRequest(input, target)).toThrow(
      "max_output_tokens: 0, which fills the prompt cache without an answer, is possible only where the upstream is not asked for a stream",
    );
  });
});
