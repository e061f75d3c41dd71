import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWhenWritten } from "../support/read-when-written.ts";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { type Harness, startHarness } from "./harness.ts";
import { named } from "./irregular/answers.ts";
import { ESTIMATED_TEXT, ESTIMATED_TOKENS, IRREGULAR_CASES } from "./irregular/cases.ts";
import { readAnswer } from "./irregular/read-answer.ts";
import { TOOLS } from "./tool-request.ts";
import { INBOUND } from "./topic.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.close());

const messages = [{ role: "user", content: "Look" }];
const REQUESTS = {
  chat: { messages, tools: TOOLS.chat },
  responses: { input: "Look", tools: TOOLS.responses },
  messages: { max_tokens: 64, messages, tools: TOOLS.messages },
};
const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
const BROKEN_ITEM = named([
  { type: "response.created", response: { id: "resp_1", model: "m", status: "in_progress", output: [] } },
  {
    type: "response.output_item.added",
    output_index: 0,
    item: { id: "msg_1", type: "message", role: "assistant", status: "in_progress", content: [] },
  },
  { type: "response.content_part.added", ...place, part: { type: "output_text", text: "", annotations: [] } },
  { type: "response.output_text.delta", ...place, delta: ESTIMATED_TEXT },
]);
const cases = IRREGULAR_CASES.flatMap((irregular) =>
  INBOUND.flatMap((inbound) => [
    { ...irregular, inbound, how: "streamed", stream: true },
    ...(irregular.whole === undefined ? [] : [{ ...irregular, inbound, how: "whole", stream: false }]),
  ]),
);

describe.each(cases)("$row: $name, of $kind to $inbound, $how", (entry) => {
  it("is put right", async () => {
    const { inbound, kind, stream, whole, streamed, expected, isEstimated = false } = entry;
    const usage = stream && inbound === "chat" ? { stream_options: { include_usage: true } } : {};
    const request = { ...REQUESTS[inbound], ...(stream && { stream }), ...usage };
    const answer = stream ? { steps: [streamed] } : wholeAnswer(whole ?? "");
    const outcome = await harness.ask({ inbound, kind, request }, answer);
    expect(outcome).toMatchObject({ status: 200, losses: [] });
    expect(readAnswer(inbound, outcome)).toMatchObject(expected[inbound]);
    if (entry.expected.chat.usage === undefined) return;

    const header = /^: (attune-.*)$/m.exec(outcome.body)?.[1] ?? `attune-usage: ${outcome.headers.get("attune-usage")}`;
    expect(header).toBe(`attune-usage: ${isEstimated ? "estimated" : null}`);
    const { row } = await readWhenWritten(harness.store, outcome.id ?? "");
    const output = expected.chat.usage?.["completion_tokens"];
    expect(row).toMatchObject({ status: "completed", outputTokens: output, usageEstimated: isEstimated });
    expect(row.inputTokens).toBeGreaterThan(0);
  });
});

describe.each(INBOUND)("an answer that the upstream breaks off, to %s", (inbound) => {
  const broken = IRREGULAR_CASES.filter(({ isEstimated, name }) => isEstimated && name === "none");
  it.each(broken)("is counted by estimate, of $kind", async ({ kind, streamed }) => {
    // All but the frames that end it.
    const frames = streamed
      .split("\n\n")
      .filter((frame) => !/finish_reason":"|DONE|completed|message_(?:delta|stop)/.test(frame));
    const request = { ...REQUESTS[inbound], stream: true };
    const begun = kind === "openai-responses" ? BROKEN_ITEM : `${frames.join("\n\n")}\n\n`;
    const outcome = await harness.ask({ inbound, kind, request }, { steps: [begun] });
    const { row } = await readWhenWritten(harness.store, outcome.id ?? "");
    expect(row).toMatchObject({ status: "failed", outputTokens: ESTIMATED_TOKENS, usageEstimated: true });
    expect(row.inputTokens).toBeGreaterThan(0);
  });
});
