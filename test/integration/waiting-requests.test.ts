import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readWhenWritten } from "../support/read-when-written.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Longer than it takes until a request of many messages is kept as bytes. */
const THINKS_MS = 200;

const YAML = (url: string): string => `
upstreams:
  one: { kind: openai-chat, baseUrl: "${url}/one" }
  two: { kind: openai-chat, baseUrl: "${url}/two" }
models:
  - name: m
    family: chat
    purpose: tests
    contextWindow: 200000
    maxOutputTokens: 4096
    minCacheableTokens: 1024
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    deployments: [ { upstream: one, model: a }, { upstream: two, model: a } ]
`;

/** A conversation as an agent has it. */
const TOOL = {
  type: "function",
  function: { name: "read", parameters: { type: "object", properties: { id: { type: "number" } } } },
};
const MESSAGES = [
  { role: "system", content: "Be brief. \u0000 \ufeff" },
  ...Array.from({ length: 12 }, (_, at) => [
    { role: "user", content: `Where is parcel ${at}? 👋 "é" ${"long ".repeat(at * 300)}`, name: "ana" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `call_${at}`, type: "function", function: { name: "read", arguments: `{"id":${at}.50}` } }],
    },
    { role: "tool", tool_call_id: `call_${at}`, content: "At the harbour." },
  ]).flat(),
];

describe("a request whose answer takes its time", () => {
  let service: TestService;
  const asked: { readonly place: string; readonly body: string }[] = [];
  let answerFirst: (response: ServerResponse) => void;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const place = request.url?.split("/")[1] ?? "";
    const body = await text(request);
    const isFirst = asked.push({ place, body }) === 1;
    await delay(THINKS_MS);
    if (isFirst) return answerFirst(response);
    const message = { role: "assistant", content: "At the harbour." };
    const usage = { prompt_tokens: 900, completion_tokens: 4, total_tokens: 904 };
    const whole = {
      id: "up",
      object: "chat.completion",
      model: "a",
      choices: [{ index: 0, message, finish_reason: "stop" }],
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ...whole, usage }));
  }

  const server = createServer((request, response) => void answer(request, response));

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    service = await startTestService({ yaml: YAML(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) });
  });

  afterAll(async () => {
    await service.close();
    server.close();
    server.closeAllConnections();
  });

  beforeEach(() => {
    asked.length = 0;
  });

  const post = (members: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify({ model: "attune/m", messages: MESSAGES, tools: [TOOL], ...members }),
      ...(signal && { signal }),
    });

  it("is asked of another place as it was of the first one, and recorded as it came", async () => {
    answerFirst = (response) => void response.writeHead(500).end("{}");
    const response = await post({});
    const { id } = (await response.json()) as { id: string };
    expect(response.status).toBe(200);
    expect(asked.map(({ place }) => place).sort()).toEqual(["one", "two"]);
    expect(asked[1]?.body).toBe(asked[0]?.body);
    expect(JSON.parse(asked[1]?.body ?? "")).toMatchObject({ messages: MESSAGES });
    const stored = await readWhenWritten(service.store, id.replace(/^chatcmpl-/, ""));
    const said = stored.content?.input.messages.flatMap(({ content }) => content) ?? [];
    expect(said.filter(({ kind }) => kind.case === "toolUse")).toHaveLength(12);
    expect(said.flatMap(({ kind }) => (kind.case === "text" ? [kind.value.text] : []))).toContain(MESSAGES[4]?.content);
  });

  it("is estimated in tokens where its caller leaves before the end", async () => {
    let id = "";
    answerFirst = (response) => {
      const chunk = { id: "up", object: "chat.completion.chunk", model: "a" };
      const piece = { choices: [{ index: 0, delta: { role: "assistant", content: "At" }, finish_reason: null }] };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ ...chunk, ...piece })}\n\n`);
    };
    const leaving = new AbortController();
    const response = await post({ stream: true }, leaving.signal);
    for await (const bytes of response.body ?? []) {
      id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/.exec(Buffer.from(bytes).toString())?.[0] ?? id;
      if (id !== "") break;
    }
    await delay(THINKS_MS);
    leaving.abort();
    const { row } = await readWhenWritten(service.store, id);
    expect([row.status, row.usageEstimated]).toEqual(["canceled", true]);
    // Some 23,000 characters, most of them in short words.
    expect(row.inputTokens).toBeGreaterThan(3000);
  });
});
