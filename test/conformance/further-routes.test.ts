import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { COUNTING } from "./counting.ts";
import { messagesAnswer } from "./expected.ts";
import { type Harness, startHarness } from "./harness.ts";
import { textAnswers } from "./text-upstream.ts";
import { THREAD_RECEIVED, THREAD_TURNS } from "./threads.ts";
import { INBOUND, UPSTREAM_KINDS } from "./topic.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.close());

const counts = INBOUND.flatMap((inbound) =>
  UPSTREAM_KINDS.flatMap((kind) => {
    const counting = COUNTING[inbound];
    return counting === undefined ? [] : [{ inbound, kind, counting, route: counting.routes[kind] }];
  }),
);

describe.each(counts)("tokens of a prompt, asked in $inbound of $kind", ({ inbound, kind, counting, route }) => {
  it("are counted where the upstream counts, and estimated elsewhere", async () => {
    const { path, request } = counting;
    const outcome = await harness.ask({ inbound, kind, request, path }, wholeAnswer(route.upstream?.answers ?? "{}"));
    expect(outcome).toMatchObject({ status: 200, body: route.answer, losses: [] });
    expect(outcome.upstreamReceives).toBe(route.upstream?.receives);
    expect(outcome.upstreamPath).toBe(route.upstream?.path);
    expect(outcome.headers.get("attune-token-count")).toBe(route.how);
  });
});

describe.each(UPSTREAM_KINDS)("threads at %s", (kind) => {
  it("are begun and gone on with, by an upstream that knows nothing of them", async () => {
    let previous = "";
    const usage = { input: 9, output: 2, ...(kind === "openai-responses" ? { reasoning: 0 } : {}) };
    const said = { content: '{"type":"text","text":"Hello"}', stopReason: "end_turn", usage };
    for (const [turn, body] of THREAD_TURNS.entries()) {
      const request = JSON.parse(JSON.stringify(body).replace("<previous>", previous));
      const answer = wholeAnswer(textAnswers()[kind].whole);
      const outcome = await harness.ask({ inbound: "messages", kind, request }, answer);
      expect(outcome.upstreamReceives).toBe(THREAD_RECEIVED[kind][turn]);
      expect(outcome).toMatchObject({ status: 200, losses: [], body: messagesAnswer(kind, said) });
      previous = outcome.id ?? "";
    }
  });
});
