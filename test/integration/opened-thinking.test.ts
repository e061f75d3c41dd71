import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { UPSTREAM_HEADERS } from "../support/upstream-frames.ts";

/** A server without a reasoning parser, whose template ends the prompt with `<think>`. */
let fixture: SdkFixture;

beforeAll(async () => {
  const profile = "profile: { base: vllm, opensThinking: true },";
  fixture = await startSdkFixture({ change: (yaml) => yaml.replace(/(kind: openai-chat),/, `$1, ${profile}`) });
});

afterAll(() => fixture.close());

const PIECES = ["First, ", "greet.</th", "ink>\n", "\nHello"];
const HEAD = { id: "chatcmpl-1", created: 1, model: "deepseek-r1" };

function script(): void {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ ...HEAD, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const message = { role: "assistant", content: PIECES.join("") };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  fixture.upstream.answer({
    streamed: answerOf([...PIECES.map((content) => chunk({ content })), chunk({}, "stop"), "data: [DONE]\n\n"]),
    whole: wholeAnswer(JSON.stringify({ ...HEAD, object: "chat.completion", choices }), UPSTREAM_HEADERS),
  });
}

const ASKED = { model: MODEL.chat, max_tokens: 64, messages: [{ role: "user" as const, content: "Hi" }] };

describe("an answer that begins inside thinking", () => {
  it("has its thinking apart for Messages callers, whole and streamed", async () => {
    script();
    const whole = await fixture.anthropic().messages.create(ASKED);
    const streamed = await fixture.anthropic().messages.stream(ASKED).finalMessage();
    for (const { content } of [whole, streamed]) {
      expect(content).toMatchObject([
        { type: "thinking", thinking: "First, greet." },
        { type: "text", text: "Hello" },
      ]);
    }
  });

  it("is a text where the request switched thinking off", async () => {
    script();
    const answer = await fixture.openai().chat.completions.create({ ...ASKED, reasoning_effort: "none" });
    expect(answer.choices[0]?.message.content).toBe(PIECES.join(""));
  });
});
