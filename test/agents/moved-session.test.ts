import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { SIGNATURE, TEXT, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

/** A fetch that notes the losses that it is told of. */
function watched(losses: (string | null)[]): typeof fetch {
  return async (...request) => {
    const response = await fetch(...request);
    losses.push(response.headers.get("attune-translation-loss"));
    return response;
  };
}

/** Goes on with a conversation whose reasoning OpenAI encrypted. */
async function asCodex(kind: UpstreamKind): Promise<string | null | undefined> {
  const losses: (string | null)[] = [];
  const { output_text } = await fixture.openai({ fetch: watched(losses) }).responses.create({
    model: MODEL[kind],
    store: false,
    input: [
      { role: "user", content: "Why?" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: SIGNATURE },
      { role: "assistant", content: "Because." },
      { role: "user", content: "And?" },
    ],
  });
  expect(output_text).toBe(TEXT);
  return losses[0];
}

/** Goes on with a conversation whose thinking Anthropic signed. */
async function asClaude(kind: UpstreamKind): Promise<string | null | undefined> {
  const losses: (string | null)[] = [];
  await fixture.anthropic({ fetch: watched(losses) }).messages.create({
    model: MODEL[kind],
    max_tokens: 64,
    messages: [
      { role: "user", content: "Why?" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: SIGNATURE },
          { type: "text", text: "Because." },
        ],
      },
      { role: "user", content: "And?" },
    ],
  });
  return losses[0];
}

describe("a session that began at a provider", () => {
  it.each(UPSTREAM_KINDS)("goes on at a %s upstream, which gets its own provider's state only", async (kind) => {
    fixture.script(kind, "text");
    expect(await asCodex(kind)).toBe(kind === "responses" ? null : "input[1]");
    expect(JSON.stringify(fixture.lastBody()).includes(SIGNATURE)).toBe(kind === "responses");
    fixture.script(kind, "text");
    expect(await asClaude(kind)).toBe(kind === "messages" ? null : "messages[1].content[0]");
    expect(JSON.stringify(fixture.lastBody()).includes(SIGNATURE)).toBe(kind === "messages");
  });
});

describe("an agent that has the provider search the web", () => {
  it.each([
    ["responses", { type: "web_search" }],
    ["messages", { type: "web_search_20250305", name: "web_search" }],
  ] as const)("asks a %s upstream in its own words; a Chat upstream has none", async (kind, tool) => {
    const body = { model: MODEL[kind], input: "News?", tools: [{ type: "web_search" as const }] };
    fixture.script(kind, "text");
    expect((await fixture.openai().responses.create(body)).output_text).toBe(TEXT);
    expect(fixture.lastBody()["tools"]).toEqual([tool]);
    fixture.script(kind, "text");
    await fixture.anthropic().messages.create({
      model: MODEL[kind],
      max_tokens: 64,
      messages: [{ role: "user", content: "News?" }],
      tools: [{ type: "web_search_20250305", name: "web_search" }],
    });
    expect(fixture.lastBody()["tools"]).toEqual([tool]);
    fixture.script(kind, "text");
    await fixture.openai().chat.completions.create({
      model: MODEL[kind],
      messages: [{ role: "user", content: "News?" }],
      web_search_options: {},
    });
    expect(fixture.lastBody()["tools"]).toEqual([tool]);
    const refused = fixture.openai().responses.create({ ...body, model: MODEL.chat });
    await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringContaining("'web_search'") });
  });
});
