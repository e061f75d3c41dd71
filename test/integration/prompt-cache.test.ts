import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Another project than that of the service's own key. */
const OTHER = "01990000-0000-7000-8000-000000000002";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

const HOUR = { type: "ephemeral", ttl: "1h" } as const;
const FIVE = { type: "ephemeral" } as const;

/** Each word is a token of the sandbox, and so is the last space. */
const words = (word: string) => `${word} `.repeat(2000);

function request(word: string): Anthropic.MessageCreateParamsNonStreaming {
  return {
    model: "attune/claude-sonnet-5-5",
    max_tokens: 5,
    system: [{ type: "text", text: words(word), cache_control: HOUR }],
    messages: [{ role: "user", content: [{ type: "text", text: words(word), cache_control: FIVE }] }],
  };
}

const client = (apiKey = service.key) => new Anthropic({ baseURL: service.url, apiKey, maxRetries: 0 });

describe("the prompt cache of the sandbox, in Messages", () => {
  it("splits what is written by lifetime, reads it next, and tells both in a stream too", async () => {
    const first = await client().messages.create(request("tree"));
    expect(first.usage).toMatchObject({
      input_tokens: 0,
      cache_creation_input_tokens: 4002,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_1h_input_tokens: 2001, ephemeral_5m_input_tokens: 2001 },
    });
    const read = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 4002 };
    const stream = client().messages.stream(request("tree"));
    const [start] = await Array.fromAsync(stream);
    expect(start).toMatchObject({ type: "message_start", message: { usage: read } });
    expect((await stream.finalMessage()).usage).toMatchObject({
      ...read,
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    });
  });

  it("case 14: never gives one project what another one wrote", async () => {
    const project = { id: OTHER, name: "other", createdAt: new Date() };
    await service.store.query().insertInto("Project").values(project).execute();
    const other = await createKey(service.store, { name: "other", projectId: OTHER });
    await client().messages.create(request("house"));
    const { usage } = await client(other.key).messages.create(request("house"));
    expect(usage).toMatchObject({ cache_creation_input_tokens: 4002, cache_read_input_tokens: 0 });
  });

  it("counts the whole prompt, whatever is cached", async () => {
    const { max_tokens: _limit, ...prompt } = request("tree");
    expect(await client().messages.countTokens(prompt)).toEqual({ input_tokens: 4002 });
  });
});
