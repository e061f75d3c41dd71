import { describe, expect, it } from "vitest";
import { FORMATS } from "../../support/sdk-calls.ts";
import { MODEL } from "../../support/sdk-fixture.ts";
import { TOKENS, UPSTREAM_KINDS } from "../../support/upstream-frames.ts";
import { ask } from "./ask.ts";
import { SANDBOX, useHardCases } from "./hard-case.ts";

const cases = useHardCases();
const routes = FORMATS.flatMap((format) => UPSTREAM_KINDS.map((kind) => ({ format, kind })));

describe.each(routes)("the usage of a $kind upstream in $format", ({ format, kind }) => {
  it.each([false, true])("case 6: has the whole prompt, cached parts included, in a stream: %s", async (stream) => {
    cases().script(kind, "text");
    const said = await ask(cases(), format, { model: MODEL[kind], stream });
    expect(said).toMatchObject({ prompt: TOKENS.prompt, output: TOKENS.output });
  });
});

describe.each(UPSTREAM_KINDS)("the parts of the usage of a %s upstream", (kind) => {
  const body = { model: MODEL[kind] };

  it("case 6: are told alike in all formats", async () => {
    cases().script(kind, "text");
    expect((await cases().post("chat", body)).json()).toMatchObject({
      usage: {
        prompt_tokens: 120,
        completion_tokens: 15,
        total_tokens: 135,
        prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    });
    expect((await cases().post("responses", body)).json()).toMatchObject({
      usage: {
        input_tokens: 120,
        input_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 },
        output_tokens: 15,
        output_tokens_details: { reasoning_tokens: 4 },
        total_tokens: 135,
      },
    });
    expect((await cases().post("messages", body)).json()).toMatchObject({
      usage: {
        input_tokens: 20,
        cache_creation_input_tokens: 10,
        cache_read_input_tokens: 90,
        output_tokens: 15,
        output_tokens_details: { thinking_tokens: 4 },
      },
    });
  });

  it("case 6: message_delta has the sums, and no stream begins with a prompt of nothing", async () => {
    cases().script(kind, "text");
    const { text } = await cases().post("messages", { ...body, stream: true });
    expect(text).toContain(
      '"usage":{"input_tokens":20,"cache_creation_input_tokens":10,"cache_read_input_tokens":90,"output_tokens":15,' +
        '"output_tokens_details":{"thinking_tokens":4},"server_tool_use":null}',
    );
    const [start = ""] = text.split("\n\n");
    expect(Number(/"input_tokens":(\d+)/.exec(start)?.[1])).toBeGreaterThan(0);
  });
});

describe("counting", () => {
  it("case 37: gives the tokens of the later usage, without max_tokens, and generates nothing", async () => {
    const prompt = {
      model: SANDBOX,
      system: "Be brief. ".repeat(50),
      tools: [{ name: "f", input_schema: { type: "object" as const } }],
      messages: [{ role: "user" as const, content: "Grüße 🌍" }],
    };
    const counted = await cases().anthropic().messages.countTokens(prompt);
    const { usage } = await cases()
      .anthropic()
      .messages.create({ ...prompt, max_tokens: 5 });
    expect(counted).toEqual({ input_tokens: usage.input_tokens });
  });

  it("case 37: asks an upstream of the format to count, and calls nothing else", async () => {
    cases().upstream.answer({ headers: { "content-type": "application/json" }, steps: ['{"input_tokens":2095}'] });
    const before = cases().upstream.received.length;
    const messages = [{ role: "user" as const, content: "Hi" }];
    const counted = await cases().anthropic().messages.countTokens({ model: MODEL.messages, messages });
    expect(counted).toEqual({ input_tokens: 2095 });
    expect(
      cases()
        .upstream.received.slice(before)
        .map(({ path }) => path),
    ).toEqual(["/v1/messages/count_tokens"]);
  });
});
