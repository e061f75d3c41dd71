import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { Agent, fetch } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { isInstalled, PROXIES, type RunningProxy, runProxy } from "./run-proxy.ts";

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "any", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const yamlOf = (upstream: string): string => `
server: { proxies: 1 }
upstreams: { here: { kind: openai-chat, baseUrl: "${upstream}/v1" } }
models:
  - name: model
    family: chat
    contextWindow: 10000000
    maxOutputTokens: 1000
    deployments: [{ upstream: here, model: any }]
`;

describe.each(PROXIES)("behind $name", (kind) => {
  describe.skipIf(!isInstalled(kind))("(needs the program)", () => {
    let upstream: ScriptedUpstream;
    let service: TestService;
    let proxy: RunningProxy;
    let headers: Record<string, string>;

    beforeAll(async () => {
      upstream = await startScriptedUpstream();
      service = await startTestService({ yaml: yamlOf(upstream.url) });
      proxy = await runProxy(kind, service.url);
      headers = service.headers;
    });
    afterAll(async () => {
      await proxy?.close();
      await service?.close();
      await upstream?.close();
    });

    /** The upstream says the second word once the first one has arrived: a proxy that holds it back stops the test. */
    function answerWordByWord(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = `${chunk({ content: "two" })}${chunk({}, "stop")}data: [DONE]\n\n`;
      upstream.answer({
        headers: { "content-type": "text/event-stream" },
        steps: [chunk({ role: "assistant", content: "one" }), { until: promise }, end],
      });
      return resolve;
    }

    function call(body: object, allowH2: boolean) {
      return fetch(`${proxy.url}/v1/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model: "attune/model", ...body }),
        dispatcher: new Agent({ allowH2, connect: { rejectUnauthorized: false } }),
      });
    }

    it.each([false, true])("streams without holding back (HTTP/2: %s)", async (allowH2) => {
      const goOn = answerWordByWord();
      const answer = await call({ messages: [{ role: "user", content: "Hi" }], stream: true }, allowH2);
      let text = "";
      for await (const piece of answer.body ?? []) {
        text += Buffer.from(piece as Uint8Array).toString();
        if (text.includes("one")) goOn();
      }
      expect(answer.status).toBe(200);
      expect(text).toMatch(/one.*two.*data: \[DONE\]\n\n$/s);
    });

    it("ends a call whose client has gone away", async () => {
      answerWordByWord();
      const before = upstream.received.length;
      const leaving = new AbortController();
      const body = JSON.stringify({ model: "attune/model", messages: [{ role: "user", content: "Hi" }], stream: true });
      const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
      const url = `${proxy.url}/v1/chat/completions`;
      const answer = await fetch(url, { method: "POST", headers, body, dispatcher, signal: leaving.signal });
      await answer.body?.getReader().read();
      leaving.abort();
      await upstream.received[before]?.aborted;
      expect(upstream.received.length).toBe(before + 1);
    });

    it("takes a request of 20 MB", async () => {
      const message = { role: "assistant", content: "Hi" };
      const body = {
        id: "1",
        object: "chat.completion",
        model: "any",
        choices: [{ index: 0, message, finish_reason: "stop" }],
      };
      upstream.answer(wholeAnswer(JSON.stringify(body)));
      const answer = await call({ messages: [{ role: "user", content: "word ".repeat(4_000_000) }] }, false);
      expect(await answer.json()).toMatchObject({ choices: [{ message }] });
    });

    const nodeOptions = { rejectUnauthorized: false };
    const transports: [string, () => Transport][] = [
      ["gRPC", () => createGrpcTransport({ baseUrl: proxy.url, nodeOptions })],
      ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: proxy.url, httpVersion: "1.1", nodeOptions })],
      ["Connect", () => createConnectTransport({ baseUrl: proxy.url, httpVersion: "2", nodeOptions })],
    ];
    it.each(transports)("streams over %s without holding back", async (_name, createTransport) => {
      const goOn = answerWordByWord();
      const text = { kind: { case: "text" as const, value: { text: "Hi" } } };
      const input = { model: "attune/model", messages: [{ role: Role.USER, content: [text] }] };
      let told = "";
      for await (const event of createClient(InferenceService, createTransport()).streamGenerate(
        { input },
        { headers },
      )) {
        told += JSON.stringify(event, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
        if (told.includes("one")) goOn();
      }
      expect(told).toContain("two");
    });

    it("has WebSockets", async () => {
      const goOn = answerWordByWord();
      const socket = new WebSocket(`${proxy.url.replace("http", "ws")}/v1/responses`, { headers, ...nodeOptions });
      const told = await new Promise<string>((resolve, reject) => {
        let text = "";
        socket.once("error", reject).once("open", () => {
          socket.send(JSON.stringify({ type: "response.create", model: "attune/model", input: "Hi" }));
        });
        socket.on("message", (data) => {
          text += String(data);
          if (text.includes("one")) goOn();
          if (text.includes('"response.completed"')) resolve(text);
        });
      });
      socket.close();
      expect(told).toContain("two");
    });

    it("leaves an encoded slash and a header of 15 KB as they are", async () => {
      const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
      const long = { ...headers, "attune-tags": `page=${"x".repeat(120)}`, "x-long": "x".repeat(15_000) };
      const answer = await fetch(`${proxy.url}/v1/models/attune%2Fmodel`, { headers: long, dispatcher });
      expect([answer.status, await answer.json()]).toMatchObject([200, { id: "attune/model" }]);
    });

    it("tells the client's address, behind whatever the client says of it, and that it came by TLS", async () => {
      const seen = await startScriptedUpstream();
      seen.answer(wholeAnswer("{}"));
      const other = await runProxy(kind, seen.url);
      const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
      const claimed = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "http" };
      expect((await fetch(`${other.url}/v1/models`, { headers: claimed, dispatcher })).status).toBe(200);
      const request = seen.received.find(({ path }) => path === "/v1/models");
      expect(request?.headers).toMatchObject({
        // Caddy and Traefik leave out what the client says; Envoy has an address of the machine for a loopback one.
        "x-forwarded-for": expect.stringMatching(
          kind.name === "Envoy" ? /^203\.0\.113\.9,(?!203\.0\.113\.9)[\d.]+$/ : /^(203\.0\.113\.9, ?)?127\.0\.0\.1$/,
        ),
        "x-forwarded-proto": "https",
      });
      await other.close();
      await seen.close();
    });
  });
});
