import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, startHarness } from "./harness.ts";
import { textAnswers } from "./text-upstream.ts";
import { INBOUND, type Inbound, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";

/** A request with a limit, and the limit's name, which is that of its loss. */
const REQUESTS: Readonly<Record<Inbound, (limit: number) => { readonly name: string; readonly request: object }>> = {
  chat: (limit) => ({
    name: "max_completion_tokens",
    request: { max_completion_tokens: limit, messages: [{ role: "user", content: "Say hello" }] },
  }),
  responses: (limit) => ({ name: "max_output_tokens", request: { max_output_tokens: limit, input: "Say hello" } }),
  messages: (limit) => ({
    name: "max_tokens",
    request: { max_tokens: limit, messages: [{ role: "user", content: "Say hello" }] },
  }),
};

const LIMIT_OF: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": "max_tokens",
  "openai-responses": "max_output_tokens",
  "anthropic-messages": "max_tokens",
};

/** What says, in each format, that an answer was cut by its limit. */
const CUT: Readonly<Record<Inbound, string>> = {
  chat: '"finish_reason":"length"',
  responses: '"incomplete_details":{"reason":"max_output_tokens"}',
  messages: '"stop_reason":"max_tokens"',
};

const routes = INBOUND.flatMap((inbound) => UPSTREAM_KINDS.map((kind) => ({ inbound, kind })));

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.close());

async function ask({ inbound, kind }: (typeof routes)[number], limit: number, stream = false, headers = {}) {
  const { name, request } = REQUESTS[inbound](limit);
  const { streamed, whole } = textAnswers()[kind];
  const answer = {
    streamed: { steps: [streamed] },
    whole: { headers: { "content-type": "application/json" }, steps: [whole] },
  };
  const asked = { ...request, ...(stream && { stream }) };
  const outcome = await harness.ask({ inbound, kind, request: asked, headers }, answer);
  const received = JSON.parse(outcome.upstreamReceives ?? "{}");
  const sent = received[inbound === "chat" && kind === "openai-chat" ? name : LIMIT_OF[kind]];
  return { ...outcome, name, sent };
}

describe.each(routes)("a limit of $inbound at $kind", (route) => {
  it("is lowered to the model's own, and named", async () => {
    const { status, sent, losses, name, body } = await ask(route, 100_000);
    expect({ status, sent, losses }).toEqual({ status: 200, sent: 4096, losses: [name] });
    expect(body).not.toContain(CUT[route.inbound]);
  });

  it("is refused where the caller wants nothing lost", async () => {
    const { status, upstreamReceives } = await ask(route, 100_000, false, { "attune-strict": "true" });
    expect({ status, upstreamReceives }).toEqual({ status: 400, upstreamReceives: undefined });
  });

  it.each([false, true])("of one token is kept, or the answer cut to it (streamed: %s)", async (stream) => {
    const { status, sent, losses, name, body } = await ask(route, 1, stream);
    if (route.kind !== "openai-responses") {
      expect({ status, sent, losses }).toEqual({ status: 200, sent: 1, losses: [] });
      return;
    }
    expect({ status, sent, losses }).toEqual({ status: 200, sent: 16, losses: [name] });
    expect(body).toContain(CUT[route.inbound]);
    // The upstream says "Hello", and in a stream "Hel" and "lo".
    expect(body).toContain(stream ? '"l"' : '"Hell"');
    expect(body).not.toMatch(/Hello|"lo"/);
  });
});
