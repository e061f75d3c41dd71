import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  CacheTtl,
  type ContentBlockSchema,
  type Message,
  ThinkingMode,
  type Tool,
  ToolChoiceMode,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { UpstreamTarget } from "../../../src/hub/upstream.ts";
import { createSandboxUpstream } from "../../../src/upstream/sandbox/upstream.ts";
import { sendCall } from "../../support/send-call.ts";
import { type InputInit, inputOf, TARGET, text, tool, user } from "./harness.ts";

const mark = { cacheMark: { ttl: CacheTtl.CACHE_TTL_5M } };
const WORDS = "word ".repeat(100);

function marked(words: string): MessageInitShape<typeof ContentBlockSchema> {
  return { kind: { case: "text", value: { text: words } }, ...mark };
}

function markedTool(name: string, description: string): Tool {
  const made = tool(name);
  if (made.kind.case === "function") made.kind.value.description = description;
  return Object.assign(made, { cacheMark: inputOf({ automaticCacheMark: mark.cacheMark }).automaticCacheMark });
}

/** A prompt with a mark at the end of each section. */
const FULL = {
  tools: [markedTool("f", WORDS)],
  system: [marked(WORDS)],
  messages: [user(marked(WORDS), "And?")],
} satisfies InputInit;

/** Asks one sandbox again and again; returns how many tokens were read, written, and the rest. */
function sandbox() {
  const upstream = createSandboxUpstream("sandbox", { now: () => 0 });
  return async (init: InputInit, change: Partial<UpstreamTarget> = {}, minCacheableTokens = 50) => {
    const target = { ...TARGET, ...change, model: { ...(change.model ?? TARGET.model), minCacheableTokens } };
    const events = await Array.fromAsync(sendCall(upstream.prepare(inputOf(init), target)));
    const [first, last] = [events[0]?.[0]?.event, events.at(-1)?.at(-1)?.event];
    const started = first?.case === "started" ? first.value.usage : undefined;
    const finished = last?.case === "finished" ? last.value.usage : undefined;
    const counts = [started, finished].map((usage) => [
      usage?.cacheReadTokens,
      usage?.cacheWriteTokens,
      usage?.inputTokens,
    ]);
    expect(counts[0]).toEqual(counts[1]);
    const [read = -1, written = -1, rest = -1] = counts[0] ?? [];
    return { read, written, rest };
  };
}

/**
 * Tokens of the prompt up to the end of each section: a word has one, the last space one, and the tool's name one;
 * "And?" has two.
 */
const TOOLS = 102;
const SYSTEM = TOOLS + 101;
const MESSAGES = SYSTEM + 101;

describe("the sandbox's prompt cache", () => {
  it("writes first, reads next, and counts the rest as input", async () => {
    const ask = sandbox();
    expect(await ask(FULL)).toEqual({ read: 0, written: MESSAGES, rest: 2 });
    expect(await ask(FULL)).toEqual({ read: MESSAGES, written: 0, rest: 2 });
  });

  it("does nothing for prompts without marks", async () => {
    const ask = sandbox();
    for (let time = 0; time < 2; time++) {
      expect(await ask({ messages: [user(WORDS)] })).toEqual({ read: 0, written: 0, rest: 101 });
    }
  });

  it("case 13: does nothing below the model's minimum, and for models without a cache", async () => {
    const ask = sandbox();
    for (const minimum of [MESSAGES + 1, MESSAGES + 1, 0, 0]) {
      expect(await ask(FULL, {}, minimum)).toEqual({ read: 0, written: 0, rest: MESSAGES + 2 });
    }
  });

  it("does not tell a prompt by where its marks stand", async () => {
    const ask = sandbox();
    await ask({ ...FULL, system: [text(WORDS)] });
    expect(await ask({ ...FULL, tools: [{ ...markedTool("f", WORDS), cacheMark: undefined } as Tool] })).toMatchObject({
      read: MESSAGES,
      written: 0,
    });
  });

  const image = { kind: { case: "image" as const, value: { source: { case: "url" as const, value: "https://a/b" } } } };
  const invalidations: readonly [string, Partial<typeof FULL> & InputInit, number][] = [
    ["nothing", {}, MESSAGES],
    ["what follows the last mark", { messages: [user(marked(WORDS), "Or?")] }, MESSAGES],
    ["sampling", { temperature: 0.5, stopSequences: ["x"] }, MESSAGES],
    ["a tool's description", { tools: [markedTool("f", `${WORDS}!`)] }, 0],
    ["the system prompt", { system: [marked(`${WORDS}!`)] }, TOOLS],
    ["the output format", { outputFormat: { kind: { case: "jsonObject", value: {} } } }, TOOLS],
    ["the tool choice", { toolChoice: { mode: ToolChoiceMode.NONE } }, SYSTEM],
    ["parallel calls", { parallelToolCalls: false }, SYSTEM],
    ["thinking", { reasoning: { mode: ThinkingMode.ADAPTIVE } }, SYSTEM],
    ["images", { messages: [user(marked(WORDS), image)] }, SYSTEM],
    ["a message", { messages: [user(marked(`${WORDS}!`), "And?")] }, SYSTEM],
  ];

  it.each(invalidations)("case 15: after a change of %s reads what stands before it", async (_what, change, read) => {
    const ask = sandbox();
    await ask(FULL);
    expect((await ask({ ...FULL, ...change })).read).toBe(read);
  });

  it.each<[string, Partial<UpstreamTarget>]>([
    ["project", { projectId: "other" }],
    ["model", { model: { ...TARGET.model, name: "other" } }],
    ["deployment", { deployment: { upstream: "sandbox", model: "other" } }],
  ])("case 14: is apart for each %s", async (_what, change) => {
    const ask = sandbox();
    await ask(FULL);
    expect((await ask(FULL, change)).read).toBe(0);
    expect((await ask(FULL)).read).toBe(MESSAGES);
  });

  it("moves the automatic mark to the last block that can carry it", async () => {
    const ask = sandbox();
    const automatic = { automaticCacheMark: mark.cacheMark };
    const turns: Message[] = [user(WORDS)];
    expect(await ask({ ...automatic, messages: turns })).toEqual({ read: 0, written: 101, rest: 0 });
    const thinking = { kind: { case: "thinking" as const, value: { text: "Hm" } } };
    const next = [...turns, user("hi", thinking)];
    expect(await ask({ ...automatic, messages: next })).toMatchObject({ read: 101, written: 1 });
    expect(await ask({ ...automatic, messages: next })).toMatchObject({ read: 102, written: 0 });
  });

  it("takes a mark inside a tool's result", async () => {
    const ask = sandbox();
    const kind = { case: "toolResult" as const, value: { toolUseId: "t", content: [marked(WORDS), text("hi")] } };
    await ask({ messages: [user({ kind })] });
    expect((await ask({ messages: [user({ kind })] })).read).toBe(102);
  });
});
