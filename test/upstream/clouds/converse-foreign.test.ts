import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../../support/scripted-upstream.ts";
import { callConverse, frame, HELLO, stream, USAGE, whole } from "./call-converse.ts";

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
});

afterEach(() => scripted.close());

const CALLERS = [Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES];
const AUDIO = { audio: { format: "mp3", source: { bytes: "AAAA" } } };
const SEARCH = { toolUse: { toolUseId: "s1", name: "nova_grounding", type: "server_tool_use", input: { q: "a" } } };
const FOUND = { toolResult: { toolUseId: "s1", type: "nova_grounding_result", content: [{ json: { pages: 2 } }] } };

const openStream = (...frames: Buffer[]) =>
  stream(
    frame("messageStart", { role: "assistant" }),
    ...frames,
    frame("messageStop", { stopReason: "end_turn" }),
    frame("metadata", { usage: USAGE, metrics: { latencyMs: 9 } }),
  );

describe("what Converse says and no format knows", () => {
  it.each(CALLERS)("is a loss by its name for callers of format %i, and no call of theirs", async (dialect) => {
    scripted.answer(whole([{ text: "Hello" }, AUDIO, SEARCH, FOUND], "tool_use"));
    const { text, calls, lostOfAnswer, finished } = await callConverse(scripted, HELLO, { dialect });
    expect([text, calls, finished?.reason]).toEqual(["Hello", "", FinishReason.STOP]);
    expect(lostOfAnswer).toEqual([
      "answer.content[1].audio",
      "answer.content[2].toolUse",
      "answer.content[3].toolResult",
    ]);
  });

  it("is kept whole, as JSON of no public format", async () => {
    scripted.answer(whole([AUDIO]));
    const { content } = await callConverse(scripted, HELLO, { dialect: Dialect.UNSPECIFIED });
    expect(content.map(({ kind }) => kind)).toMatchObject([
      { case: "opaque", value: { dialect: Dialect.UNSPECIFIED, json: JSON.stringify(AUDIO) } },
    ]);
  });

  it.each(CALLERS)("is a loss in a stream for callers of format %i", async (dialect) => {
    scripted.answer(
      openStream(
        frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Hello" } }),
        frame("contentBlockDelta", { contentBlockIndex: 0, delta: { emphasis: "strong" } }),
        frame("contentBlockStop", { contentBlockIndex: 0 }),
        frame("contentBlockStart", { contentBlockIndex: 1, start: { image: { format: "png" } } }),
        frame("contentBlockDelta", { contentBlockIndex: 1, delta: { image: { source: { bytes: "AA" } } } }),
        frame("contentBlockDelta", { contentBlockIndex: 1, delta: { image: { source: { bytes: "BB" } } } }),
        frame("contentBlockStop", { contentBlockIndex: 1 }),
        frame("contentBlockStart", {
          contentBlockIndex: 2,
          start: { toolUse: { toolUseId: "s1", name: "nova_grounding", type: "server_tool_use" } },
        }),
        frame("contentBlockDelta", { contentBlockIndex: 2, delta: { toolUse: { input: "{}" } } }),
        frame("contentBlockStop", { contentBlockIndex: 2 }),
        frame("guardrailReport", { verdict: "clean" }),
      ),
    );
    const { text, calls, content, lostOfAnswer, error } = await callConverse(scripted, HELLO, {
      dialect,
      streamed: true,
    });
    expect([error, text, calls]).toEqual([undefined, "Hello", ""]);
    expect(content[1]?.kind).toMatchObject({
      case: "opaque",
      value: { json: '{"image":[{"format":"png"},{"source":{"bytes":"AA"}},{"source":{"bytes":"BB"}}]}' },
    });
    expect(lostOfAnswer).toEqual([
      ...["answer.content[1].image", "answer.content[2].toolUse", "answer.content[0].emphasis"],
      "answer.guardrailReport",
    ]);
  });

  it("is told where its block has no end", async () => {
    scripted.answer(openStream(frame("contentBlockDelta", { contentBlockIndex: 0, delta: { video: { a: 1 } } })));
    const { lostOfAnswer, error } = await callConverse(scripted, HELLO, { streamed: true });
    expect([error, lostOfAnswer]).toEqual([undefined, ["answer.content[0].video"]]);
  });

  it("is what a text cites, but not the text", async () => {
    const citation = { title: "A", location: { web: { url: "https://a.example", domain: "a.example" } } };
    scripted.answer(
      whole([{ citationsContent: { content: [{ text: "Hel" }, { text: "lo" }], citations: [citation] } }]),
    );
    const unary = await callConverse(scripted, HELLO, { dialect: Dialect.MESSAGES });
    scripted.answer(
      openStream(
        frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Hello" } }),
        frame("contentBlockDelta", { contentBlockIndex: 0, delta: { citation } }),
        frame("contentBlockStop", { contentBlockIndex: 0 }),
      ),
    );
    const streamed = await callConverse(scripted, HELLO, { dialect: Dialect.MESSAGES, streamed: true });
    for (const { text, lostOfAnswer, content } of [unary, streamed]) {
      expect([text, lostOfAnswer]).toEqual(["Hello", ["answer.content[0].citations"]]);
      expect(content[0]?.extension).toMatchObject({
        dialect: Dialect.UNSPECIFIED,
        json: JSON.stringify({ citations: [citation] }),
      });
    }
  });

  it("is members of the answer and its usage, of which those about the service are no loss", async () => {
    const answer = {
      output: { message: { role: "assistant", content: [{ text: "Hello" }] } },
      stopReason: "novel",
      usage: { ...USAGE, serverToolUsage: { searches: 2 } },
      metrics: { latencyMs: 9 },
      serviceTier: { type: "flex" },
      performanceConfig: { latency: "standard" },
      trace: { guardrail: { actionReason: "none" } },
    };
    scripted.answer(wholeAnswer(JSON.stringify(answer)));
    const { lostOfAnswer } = await callConverse(scripted, HELLO, { dialect: Dialect.MESSAGES });
    expect(lostOfAnswer).toEqual(["answer.trace", "answer.stop_reason", "answer.usage.serverToolUsage"]);
  });

  it("keeps reasoning that is sealed, in a stream as whole", async () => {
    const sealed = { reasoningContent: { redactedContent: "c2VhbGVk" } };
    scripted.answer(whole([sealed]));
    const unary = await callConverse(scripted);
    scripted.answer(
      openStream(
        frame("contentBlockDelta", { contentBlockIndex: 0, delta: sealed }),
        frame("contentBlockStop", { contentBlockIndex: 0 }),
      ),
    );
    const streamed = await callConverse(scripted, HELLO, { streamed: true });
    for (const { content } of [unary, streamed]) {
      expect(content[0]?.kind).toMatchObject({ case: "redactedThinking", value: { data: "c2VhbGVk" } });
    }
  });

  it("tells what was written to a cache, by its lifetime", async () => {
    const usage = {
      inputTokens: 5,
      outputTokens: 7,
      totalTokens: 1812,
      cacheReadInputTokens: 800,
      cacheWriteInputTokens: 1000,
      cacheDetails: [
        { ttl: "1h", inputTokens: 600 },
        { ttl: "5m", inputTokens: 400 },
      ],
    };
    scripted.answer(
      wholeAnswer(
        JSON.stringify({ output: { message: { role: "assistant", content: [] } }, stopReason: "end_turn", usage }),
      ),
    );
    expect((await callConverse(scripted)).usage).toMatchObject({
      inputTokens: 5,
      outputTokens: 7,
      cacheReadTokens: 800,
      cacheWriteTokens: 1000,
      cacheWrite5mTokens: 400,
      cacheWrite1hTokens: 600,
    });
  });
});
