import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/scripted-upstream.ts";
import { bodyOf, callSdk, FORMATS, type Format, PATH } from "../support/sdk-calls.ts";
import { failure, thrownBy, typeOf } from "../support/sdk-failures.ts";
import { answerOf, clientsOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { startTestService } from "../support/service.ts";
import { FRAMES, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

describe.each(FORMATS)("the SDK of %s, where the request itself is at fault", (format) => {
  it("has a wrong key: 401, and no upstream hears of it", async () => {
    const before = fixture.upstream.received.length;
    const client = { apiKey: "att_000000000000_00000000000000000000000000000000", maxRetries: 2 };
    const thrown = await thrownBy(callSdk(fixture, { format, model: MODEL.chat, client }));
    expect(thrown.status).toBe(401);
    expect(typeOf(format, thrown)).toBe(format === "messages" ? "authentication_error" : "invalid_request_error");
    expect(thrown.headers?.get("x-should-retry")).toBe("false");
    expect(fixture.upstream.received.length).toBe(before);
  });

  it.each([false, true])("names an unknown model: 404 as JSON, streamed: %s", async (stream) => {
    const thrown = await thrownBy(callSdk(fixture, { format, model: "attune/none", stream }));
    expect(thrown.status).toBe(404);
    expect(thrown.message).toContain("the model 'attune/none' does not exist here; these do: attune/chatty");
    expect(typeOf(format, thrown)).toBe(format === "messages" ? "not_found_error" : "invalid_request_error");
    if (format !== "messages") expect([thrown.code, thrown.param]).toEqual(["model_not_found", "model"]);
  });

  it("names the place: 400", async () => {
    const members = format === "responses" ? { input: 5 } : { messages: [{ role: 5, content: "x" }] };
    const thrown = await thrownBy(callSdk(fixture, { format, model: MODEL.chat, members }));
    const place = format === "responses" ? "input" : "messages[0].role";
    expect(thrown.status).toBe(400);
    expect(thrown.message).toContain(`${place}: `);
    if (format !== "messages") expect(thrown.param).toBe(place);
  });

  it("is refused in strict mode for what would be lost, before the upstream is called", async () => {
    const { kind, members, place } = LOST[format];
    const before = fixture.upstream.received.length;
    const client = { headers: { "attune-strict": "true" } };
    const thrown = await thrownBy(callSdk(fixture, { format, model: MODEL[kind], members, client }));
    expect(thrown.status).toBe(400);
    expect(thrown.message).toContain(`the upstream's format cannot carry: ${place}.`);
    if (format !== "messages") expect(thrown.param).toBe(place);
    expect(fixture.upstream.received.length).toBe(before);
  });

  it.each([false, true])("tells otherwise what is lost, in a header, streamed: %s", async (stream) => {
    const { kind, members, place } = LOST[format];
    fixture.script(kind, "text");
    const response = await post(format, { ...bodyOf(format, MODEL[kind]), ...members, stream });
    expect(response.status).toBe(200);
    expect(response.headers.get("attune-translation-loss")).toBe(place);
    await response.text();
  });
});

/** What another format than the caller's cannot carry. */
const LOST = {
  chat: { kind: "messages", members: { logit_bias: { 42: 1 } }, place: "logit_bias" },
  responses: { kind: "chat", members: { truncation: "auto" }, place: "truncation" },
  messages: { kind: "responses", members: { stop_sequences: ["END"] }, place: "stop_sequences" },
} as const;

function post(format: Format, body: object): Promise<Response> {
  const { url, headers } = fixture.service;
  return fetch(url + PATH[format], { method: "POST", headers, body: JSON.stringify(body) });
}

describe("an upstream that cannot be reached", () => {
  it("is 502 and worth another try, for each SDK", async () => {
    const unreachable = await startSdkFixture({
      change: (yaml) => yaml.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:1"),
    });
    try {
      for (const format of FORMATS) {
        const thrown = await thrownBy(callSdk(unreachable, { format, model: MODEL[format] }));
        expect(thrown.status).toBe(502);
        expect(thrown.message).toContain(`the connection to the upstream '${format}' failed (ECONNREFUSED)`);
        expect(thrown.message).not.toContain("127.0.0.1");
        expect(thrown.headers?.get("x-should-retry")).toBe("true");
      }
    } finally {
      await unreachable.close();
    }
  });
});

describe("a model that is called in another format", () => {
  it("answers, whatever its family", async () => {
    const service = await startTestService();
    try {
      const [answer] = await callSdk(clientsOf(service), { format: "messages", model: "attune/gpt-6-astra" });
      expect(answer).toMatchObject({ type: "message", model: "attune/gpt-6-astra" });
    } finally {
      await service.close();
    }
  });

  it("is 404 where its routes leave the format out, and names the models that work", async () => {
    const change = (yaml: string) => yaml.replace("name: chatty", "name: chatty\n    routes: [chat, responses]");
    const restricted = await startSdkFixture({ change });
    try {
      const thrown = await thrownBy(callSdk(restricted, { format: "messages", model: MODEL.chat }));
      expect(thrown.status).toBe(404);
      expect(thrown.message).toContain(
        "the model 'attune/chatty' answers /v1/chat/completions and /v1/responses alone here; " +
          "/v1/messages: these do: attune/responder, attune/messenger",
      );
      restricted.script("chat", "text");
      expect(await callSdk(restricted, { format: "responses", model: MODEL.chat })).toHaveLength(1);
    } finally {
      await restricted.close();
    }
  });
});

describe("the keys of upstreams", () => {
  const SECRETS: Record<UpstreamKind, string> = {
    chat: "sk-upstream-chat-secret",
    responses: "sk-upstream-responses-secret",
    messages: "sk-ant-upstream-secret",
  };

  it.each(UPSTREAM_KINDS)("are in no answer, whatever a %s upstream repeats", async (kind) => {
    const said = `Incorrect API key provided: ${SECRETS[kind]}. Bearer ${SECRETS[kind]}`;
    const inStream =
      kind === "messages"
        ? `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "api_error", message: said } })}\n\n`
        : `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "server_error", message: said } })}\n\n`;
    const answers: Answer[] = [
      failure(kind, { status: 401, type: "authentication_error", message: said }),
      failure(kind, { status: 400, type: "invalid_request_error", message: said }),
      failure(kind, { status: 500, type: "api_error", message: said }),
      { status: 500, headers: { "content-type": "text/plain" }, steps: [said] },
      answerOf([...FRAMES[kind].text.slice(0, 4), inStream]),
      answerOf([inStream]),
    ];
    for (const answer of answers) {
      fixture.upstream.answer(answer);
      for (const format of FORMATS) {
        for (const stream of [false, true]) {
          const response = await post(format, { ...bodyOf(format, MODEL[kind]), stream });
          const text = JSON.stringify([...response.headers]) + (await response.text());
          expect(text).toContain("error");
          expect(text).not.toContain("secret");
        }
      }
    }
    expect(fixture.upstream.received.at(-1)?.headers).toMatchObject(
      kind === "messages" ? { "x-api-key": SECRETS[kind] } : { authorization: `Bearer ${SECRETS[kind]}` },
    );
  });
});
