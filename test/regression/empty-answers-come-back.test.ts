import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, yamlFor } from "../support/service.ts";

let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  service = await startTestService({ yaml: yamlFor(upstream.url) });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

const completion = (message: object, reason: string): string =>
  JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: reason }] });
const message = (content: readonly object[], reason: string): string =>
  JSON.stringify({ type: "message", role: "assistant", model: "m", content, stop_reason: reason });

/** Answers of upstreams without a word. */
const ANSWERS: Readonly<Record<string, string>> = {
  chatty: completion({ content: null }, "content_filter"),
  responder: JSON.stringify({ object: "response", status: "completed", output: [] }),
  messenger: message([{ type: "text", text: "" }], "end_turn"),
};
const MODELS = Object.keys(ANSWERS);

type Turn = Readonly<Record<string, unknown>>;

const HELLO = { role: "user", content: "Hello" };
const NEXT = { role: "user", content: "Go on" };

/** How each format sends a conversation, and how its callers repeat an answer. */
const FORMATS = {
  "chat/completions": {
    send: (turns: readonly unknown[]): object => ({ messages: turns }),
    repeat: (answer: Turn): readonly unknown[] => [(answer["choices"] as { message: object }[])[0]?.message],
  },
  messages: {
    send: (turns: readonly unknown[]): object => ({ messages: turns, max_tokens: 9 }),
    repeat: (answer: Turn): readonly unknown[] => [{ role: "assistant", content: answer["content"] }],
  },
  responses: {
    send: (turns: readonly unknown[]): object => ({ input: turns }),
    repeat: (answer: Turn): readonly unknown[] => answer["output"] as readonly unknown[],
  },
} as const;

async function call(path: string, model: string, body: object) {
  upstream.answer(wholeAnswer(ANSWERS[model] ?? ""));
  const init = {
    method: "POST",
    headers: service.headers,
    body: JSON.stringify({ model: `attune/${model}`, ...body }),
  };
  const answer = await fetch(`${service.url}/v1/${path}`, init);
  return { status: answer.status, json: (await answer.json()) as Turn };
}

describe.each(MODELS)("an answer of %s without a word", (first) => {
  it.each(Object.entries(FORMATS))("comes back by %s, and goes to every upstream", async (path, { send, repeat }) => {
    const { status, json } = await call(path, first, send([HELLO]));
    expect(status).toBe(200);
    for (const next of MODELS) {
      const again = await call(path, next, send([HELLO, ...repeat(json), NEXT]));
      expect([next, again.status, again.json["error"] ?? null]).toEqual([next, 200, null]);
      const body = upstream.received.at(-1)?.body ?? "";
      expect(body).toContain("Go on");
      // Anthropic refuses messages and texts without content.
      if (next === "messenger") expect(body).not.toMatch(/"content":(?:\[\]|"")|"text":""/);
    }
  });
});

describe("an answer of Messages with an empty text beside a call", () => {
  it("comes back", async () => {
    const text = { type: "text", text: "" };
    const content = [text, { type: "tool_use", id: "t", name: "f", input: {} }];
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "r" }] };
    const turns = [HELLO, { role: "assistant", content }, result];
    expect(await call("messages", "messenger", FORMATS.messages.send(turns))).toMatchObject({ status: 200 });
    expect(upstream.received.at(-1)?.body).not.toContain('"text":""');
    const byUser = await call("messages", "messenger", FORMATS.messages.send([{ role: "user", content: [text] }]));
    expect(byUser.status).toBe(400);
  });
});
