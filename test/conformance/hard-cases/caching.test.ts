import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { useHardCases } from "./hard-case.ts";

// The service takes the clock as it is when it starts.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterAll(() => {
  vi.useRealTimers();
});
const cases = useHardCases();
const FIVE = { type: "ephemeral" };
const HOUR = { type: "ephemeral", ttl: "1h" };
const text = (words: string, mark?: object) => ({
  type: "text",
  text: words,
  ...(mark === undefined ? {} : { cache_control: mark }),
});
const user = (...content: object[]) => [{ role: "user", content }];
const TOOL = { name: "f", description: "Does it.", input_schema: { type: "object" } };

/** More than the 1024 tokens that the model caches at least. Each prompt begins with words of its own. */
const long = (word: string): string => `${word} ${"tree ".repeat(1500)}`;

interface Usage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

async function usageOf(members: object, key?: string): Promise<Usage> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const { status, json } = await cases().post("messages", { max_tokens: 5, ...members }, headers);
  expect(status).toBe(200);
  return (json() as { usage: Usage }).usage;
}

describe("marks that are wrong", () => {
  const marked = (count: number) => Array.from({ length: count }, (_none, index) => text(`part ${index}`, FIVE));

  it.each<[string, object, string]>([
    ["five marks", { messages: user(...marked(5)) }, "messages[0].content[4].cache_control: "],
    ["an automatic one beside four", { cache_control: FIVE, messages: user(...marked(4)) }, "cache_control: "],
    [
      "an hour after five minutes",
      { system: [text("a", FIVE)], messages: user(text("b", HOUR)) },
      "messages[0].content[0].cache_control.ttl: ",
    ],
    ["one on an empty text", { messages: user(text("", FIVE)) }, "messages[0].content[0]"],
    [
      "one on thinking",
      {
        messages: [
          ...user(text("a")),
          { role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "s", cache_control: FIVE }] },
          ...user(text("b")),
        ],
      },
      "messages[1].content[0].cache_control: ",
    ],
  ])("case 13: are a 400 that names the block: %s", async (_what, members, place) => {
    const { status, json } = await cases().post("messages", members);
    expect(status).toBe(400);
    const body = json() as { type: string; error: { type: string; message: string } };
    expect(body).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
    expect(body.error.message.startsWith(place)).toBe(true);
  });

  it("case 13: four, the longer before the shorter, are taken", async () => {
    const members = { system: [text("a", HOUR), text("b", HOUR)], messages: user(text("c", FIVE), text("d", FIVE)) };
    expect((await cases().post("messages", members)).status).toBe(200);
  });

  it("case 13: a prompt below the model's minimum is answered with zeros", async () => {
    for (let call = 0; call < 2; call++) {
      const usage = await usageOf({ messages: user(text("short", FIVE)) });
      expect(usage).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
      expect(usage.input_tokens).toBeGreaterThan(0);
    }
  });
});

describe("the cache of the sandbox", () => {
  const blocks = (count: number) => Array.from({ length: count }, (_none, index) => text(`block ${index}`));
  const grown = (word: string, more: number) => ({
    system: [text(long(word), FIVE)],
    messages: user(...blocks(more - 1), text("last", FIVE)),
  });

  it.each([
    [19, true],
    [21, false],
  ])("case 14: a mark looks back over 20 blocks: %d more, and it hits: %s", async (more, hits) => {
    const word = `lookback-${more}`;
    const system = [text(long(word), FIVE)];
    const { cache_creation_input_tokens: written } = await usageOf({ system, messages: user(text("x")) });
    expect(written).toBeGreaterThan(1500);
    // The system is not marked any more, so only the mark at the end can find it.
    const { cache_read_input_tokens: read } = await usageOf({ ...grown(word, more), system: [text(long(word))] });
    expect(read).toBe(hits ? written : 0);
  });

  it("case 14: five minutes begin anew with each read, and an hour outlives six minutes", async () => {
    const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);
    const five = { system: [text(long("five"), FIVE)], messages: user(text("x")) };
    const hour = { system: [text(long("hour"), HOUR)], messages: user(text("x")) };
    const written = (await usageOf(five)).cache_creation_input_tokens;
    await usageOf(hour);
    pass(4);
    expect((await usageOf(five)).cache_read_input_tokens).toBe(written);
    pass(4);
    expect((await usageOf(five)).cache_read_input_tokens).toBe(written);
    expect((await usageOf(hour)).cache_read_input_tokens).toBe(written);
    pass(6);
    expect((await usageOf(five)).cache_read_input_tokens).toBe(0);
  });

  it("case 14: what one project wrote is never read by another", async () => {
    const { store } = cases().service;
    const projectId = newId();
    await store.query().insertInto("Project").values({ id: projectId, name: "other", createdAt: new Date() }).execute();
    const { key } = await createKey(store, { name: "other", projectId });
    const prompt = { system: [text(long("tenant"), FIVE)], messages: user(text("x")) };
    const { cache_creation_input_tokens: written } = await usageOf(prompt);
    expect(await usageOf(prompt, key)).toMatchObject({
      cache_creation_input_tokens: written,
      cache_read_input_tokens: 0,
    });
  });
});

describe("what invalidates", () => {
  const prompt = (word: string, change: object = {}) => ({
    tools: [TOOL],
    system: [text(long(word), FIVE)],
    messages: user(text("x")),
    ...change,
  });

  it.each<[string, object, boolean]>([
    ["another choice of tools", { tool_choice: { type: "none" } }, true],
    ["another message", { messages: user(text("y")) }, true],
    ["another description of a tool", { tools: [{ ...TOOL, description: "Does that." }] }, false],
    ["one tool more", { tools: [TOOL, { ...TOOL, name: "g" }] }, false],
    ["another text of the system", { system: [text(long("other"), FIVE)] }, false],
  ])("case 15: %s, %j: the system is read from the cache: %s", async (what, change, kept) => {
    const word = what.replaceAll(" ", "-");
    const { cache_creation_input_tokens: written } = await usageOf(prompt(word));
    expect(written).toBeGreaterThan(1500);
    const usage = await usageOf(prompt(word, change));
    expect(usage.cache_read_input_tokens).toBe(kept ? written : 0);
  });
});
