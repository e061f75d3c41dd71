import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { type Harness, startHarness } from "./harness.ts";
import { IRREGULAR_CASES } from "./irregular/cases.ts";
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
const cases = IRREGULAR_CASES.flatMap((irregular) =>
  INBOUND.flatMap((inbound) => [
    { ...irregular, inbound, how: "streamed", stream: true },
    ...(irregular.whole === undefined ? [] : [{ ...irregular, inbound, how: "whole", stream: false }]),
  ]),
);

describe.each(cases)(
  "$row: $name, of $kind to $inbound, $how",
  ({ inbound, kind, stream, whole, streamed, expected }) => {
    it("is put right", async () => {
      const usage = stream && inbound === "chat" ? { stream_options: { include_usage: true } } : {};
      const request = { ...REQUESTS[inbound], ...(stream && { stream }), ...usage };
      const answer = stream ? { steps: [streamed] } : wholeAnswer(whole ?? "");
      const outcome = await harness.ask({ inbound, kind, request }, answer);
      expect(outcome).toMatchObject({ status: 200, losses: [] });
      expect(readAnswer(inbound, outcome)).toMatchObject(expected[inbound]);
    });
  },
);
