import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isUuid } from "../../src/lib/ids.ts";
import { createKey, revokeKey } from "../../src/store/keys/key-repository.ts";
import { readInference } from "../support/read-inference.ts";
import { type RawAnswer, sendRaw } from "../support/send-raw.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait.ts";
import { type BadRequest, type ExpectedError, invalid, type Keys, withStatus } from "./bad-requests/bad-request.ts";
import { CHAT } from "./bad-requests/chat.ts";
import { MESSAGES_REQUESTS } from "./bad-requests/messages.ts";
import { ODD } from "./bad-requests/odd.ts";
import { RESPONSES } from "./bad-requests/responses.ts";
import {
  BODY_LIMIT_BYTES,
  GOOD_BODIES,
  LONG_PATHS,
  UNKNOWN_PATHS,
  WRONG_FORMS,
  WRONG_KEYS,
  WRONG_KEYS_AND_BODIES,
  WRONG_METHODS_REQUESTS,
  WRONG_MODELS,
  WRONG_MODELS_OF_ANTHROPIC,
} from "./bad-requests/routes.ts";

const TABLES: readonly (readonly [what: string, requests: readonly BadRequest[]])[] = [
  ["keys", WRONG_KEYS],
  ["keys with wrong bodies", WRONG_KEYS_AND_BODIES],
  ["bodies of any route", WRONG_FORMS],
  ["methods", WRONG_METHODS_REQUESTS],
  ["paths", UNKNOWN_PATHS],
  ["long paths", LONG_PATHS],
  ["models", WRONG_MODELS],
  ["models for Anthropic's SDK", WRONG_MODELS_OF_ANTHROPIC],
  ["Chat Completions", CHAT],
  ["Responses", RESPONSES],
  ["Messages", MESSAGES_REQUESTS],
];

let service: TestService;
let keys: Keys;

beforeAll(async () => {
  service = await startTestService({ yaml: `server: { bodyLimitBytes: ${BODY_LIMIT_BYTES} }\n` });
  const revoked = await createKey(service.store, { name: "revoked" });
  await revokeKey(service.store, revoked.info.publicId);
  const expired = await createKey(service.store, { name: "expired", expiresAt: new Date(Date.now() - 1000) });
  const unknown = `att_${"0".repeat(12)}_${"A".repeat(43)}`;
  keys = { good: service.key, revoked: revoked.key, expired: expired.key, unknown };
});

afterAll(() => service.close());

function send({ method, path, headers, body }: BadRequest): Promise<RawAnswer> {
  const wanted = { ...service.headers, ...headers?.(keys) };
  const given = Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return sendRaw(service.url, { method, path, headers: Object.fromEntries(given), body });
}

function isMessagesEnvelope({ path, headers }: BadRequest): boolean {
  return path.startsWith("/v1/messages") || headers?.(keys)["anthropic-version"] !== undefined;
}

function envelope(expected: ExpectedError, isMessages: boolean, requestId: unknown): object {
  const message = expect.stringContaining(expected.message);
  if (isMessages) return { type: "error", error: { type: expected.messagesType, message }, request_id: requestId };
  return { error: { message, type: expected.type, param: expected.param, code: expected.code } };
}

function expectRefusal({ status, headers, text }: RawAnswer, expected: ExpectedError, isMessages: boolean): void {
  const requestId = headers["x-request-id"];
  expect(status, text).toBe(expected.status);
  expect(JSON.parse(text)).toEqual(envelope(expected, isMessages, requestId));
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(isUuid(String(requestId)), "x-request-id").toBe(true);
  expect(headers["request-id"]).toBe(requestId);
  const whole = text + JSON.stringify(headers);
  for (const key of Object.values(keys)) expect(whole).not.toContain(key);
}

async function expectGoodAnswers(): Promise<void> {
  for (const [path, body] of Object.entries(GOOD_BODIES)) {
    const { status } = await sendRaw(service.url, { method: "POST", path, headers: service.headers, body });
    expect([path, status]).toEqual([path, 200]);
  }
}

describe.each(TABLES)("bad requests: %s", (_what, requests) => {
  it.each(requests)("$method $path: $what", async (request) => {
    expectRefusal(await send(request), request.expected, isMessagesEnvelope(request));
  });

  it("leave the service as it was", expectGoodAnswers);
});

describe("bad requests: HTTP itself", () => {
  it("refuses a path and headers that are too large", async () => {
    const path = `/v1/models/${"x".repeat(20_000)}`;
    const answer = await sendRaw(service.url, { method: "GET", path, headers: service.headers });
    expectRefusal(answer, withStatus(431, invalid("the path and the headers are larger than")), false);
  });

  it("refuses what is no HTTP request", async () => {
    const [head = "", body] = (await sendBytes("HELLO \0 there\r\n\r\n")).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1.1 400 Bad Request\r\ncontent-type: application\/json; charset=utf-8\r\n/);
    expect(head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
    const error = { message: "this is not an HTTP request", type: "invalid_request_error", param: null, code: null };
    expect(JSON.parse(body ?? "")).toEqual({ error });
  });

  it("answers HEAD without a body", async () => {
    const { status, headers, text } = await sendRaw(service.url, {
      method: "HEAD",
      path: "/v1/responses",
      headers: service.headers,
    });
    expect([status, headers["allow"], text]).toEqual([405, "POST", ""]);
  });

  it("survives callers who leave in the middle of a body", async () => {
    const head =
      "POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n";
    await Promise.all(Array.from({ length: 20 }, () => leaveAfter(`${head}{"model": "att`)));
    await expectGoodAnswers();
  });
});

describe("odd requests", () => {
  // Each waits for its record, which is written behind the answer; they do that together.
  it.concurrent.each(ODD)("takes %s at %s", async (_what, path, body) => {
    const { status, text } = await sendRaw(service.url, { method: "POST", path, headers: service.headers, body });
    expect(status, text).toBe(200);
    const { id } = JSON.parse(text) as { id: string };
    const stored = await waitUntil(() => readInference(service.store, id));
    expect(stored.content?.input.messages.length).toBeGreaterThan(0);
  });

  it("leave the service as it was", expectGoodAnswers);
});

function connectRaw(): Socket {
  const { hostname, port } = new URL(service.url);
  return connect(Number(port), hostname);
}

/** Sends bytes, and resolves to all that comes back until the service closes the connection. */
async function sendBytes(bytes: string): Promise<string> {
  const socket = connectRaw();
  socket.write(bytes);
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += chunk;
  return text;
}

function leaveAfter(bytes: string): Promise<void> {
  const socket = connectRaw();
  return new Promise((resolve) => {
    socket.once("close", () => resolve());
    socket.write(bytes, () => socket.destroy());
  });
}
