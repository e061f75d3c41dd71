import { readdirSync } from "node:fs";
import http2 from "node:http2";
import net from "node:net";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ModelService } from "../../gen/attune/model/v1/model_pb.ts";
import { findBuilt } from "../../src/dashboard/build/build-places.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { createPeople, type People } from "../dashboard/people.ts";
import { sendRaw } from "../support/send-raw.ts";

let service: DashboardService;
let people: People;
let key: string;

beforeAll(async () => {
  service = await startDashboardService({ withPages: true });
  people = await createPeople(service);
  ({ key } = await createKey(service.store, { projectId: people.projectId, name: "test" }));
});

afterAll(() => service.close());

const CHAT = { model: "attune/gpt-6-astra", messages: [{ role: "user", content: "Hello" }] };
const asset = () => readdirSync(join(findBuilt() ?? "", "assets")).find((name) => name.endsWith(".js")) ?? "";

describe("every answer of the dashboard", () => {
  const answers: readonly [what: string, status: number, ask: () => Promise<Response>][] = [
    ["a page", 200, () => fetch(`${service.url}/dashboard`)],
    ["an asset", 200, () => fetch(`${service.url}/dashboard/assets/${asset()}`)],
    ["an asset that is not there", 404, () => fetch(`${service.url}/dashboard/assets/nothing.js`)],
    ["an asset from outside", 403, () => fetch(`${service.url}/dashboard/assets/..%2findex.html`)],
    ["the icon", 200, () => fetch(`${service.url}/dashboard/icon.svg`)],
    ["the script that reloads", 200, () => fetch(`${service.url}/dashboard/reload.js`)],
    ["a method that a page has not", 404, () => fetch(`${service.url}/dashboard/keys`, { method: "PUT" })],
    ["an answer of the API", 200, () => fetch(`${service.url}/dashboard/api/session.current`)],
    ["an error of the API", 401, () => fetch(`${service.url}/dashboard/api/session.list`)],
    ["a procedure that is not there", 404, () => fetch(`${service.url}/dashboard/api/nothing`)],
    ["a path of the API that is not there", 404, () => fetch(`${service.url}/dashboard/api/no/thing`)],
    [
      "a request from elsewhere",
      403,
      () => fetch(`${service.url}/dashboard/api/session.current`, { headers: { "sec-fetch-site": "cross-site" } }),
    ],
    ["an export that is refused", 400, () => fetch(`${service.url}/dashboard/api/export/history`)],
    ["the playground for nobody", 401, () => fetch(`${service.url}/dashboard/api/playground/x/v1/models`)],
    ["a path that is no URL", 400, () => fetch(`${service.url}/dashboard/%ff`)],
  ];

  it.each(answers)("%s", async (_what, status, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/(^|; )default-src 'none'(;|$)/);
    expect(policy).toMatch(/(^|; )frame-ancestors 'none'(;|$)/);
    expect(policy).not.toMatch(/unsafe/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  });
});

describe("nosniff", () => {
  const v1 = (path: string, body?: unknown) =>
    fetch(`${service.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const answers: readonly [what: string, status: number, ask: () => Promise<Response>][] = [
    ["an answer", 200, () => v1("/v1/chat/completions", CHAT)],
    ["a stream", 200, () => v1("/v1/chat/completions", { ...CHAT, stream: true })],
    ["a refused request", 400, () => v1("/v1/chat/completions", { model: 7 })],
    ["no key", 401, () => fetch(`${service.url}/v1/models`)],
    ["a wrong path", 404, () => v1("/v1/nothing")],
    ["a wrong method", 405, () => v1("/v1/models", {})],
    ["a path that is no URL", 400, () => fetch(`${service.url}/v1/%ff`)],
    ["the first page", 200, () => fetch(service.url)],
    ["/healthz", 200, () => fetch(`${service.url}/healthz`)],
    ["/readyz", 200, () => fetch(`${service.url}/readyz`)],
    [
      "an RPC that no key allows",
      401,
      () =>
        fetch(`${service.url}/attune.model.v1.ModelService/ListModels`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        }),
    ],
    [
      "a stream in the playground",
      200,
      () =>
        fetch(`${service.url}/dashboard/api/playground/${people.projectId}/v1/chat/completions`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "sec-fetch-site": "same-origin",
            cookie: people.byRole.developer.cookie ?? "",
          },
          body: JSON.stringify({ ...CHAT, stream: true }),
        }),
    ],
  ];

  it.each(answers)("%s", async (_what, status, ask) => {
    const response = await ask();
    await response.text();
    expect(response.status).toBe(status);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each([
    ["Connect", () => createConnectTransport({ httpVersion: "1.1", baseUrl: service.url })],
    ["gRPC", () => createGrpcTransport({ baseUrl: service.url })],
  ])("RPC over %s", async (_protocol, transport) => {
    let seen: string | null = null;
    await createClient(ModelService, transport()).listModels(
      {},
      {
        headers: { authorization: `Bearer ${key}` },
        onHeader: (headers) => {
          seen = headers.get("x-content-type-options");
        },
      },
    );
    expect(seen).toBe("nosniff");
  });

  it("a stream over HTTP/2", async () => {
    const session = http2.connect(service.url);
    const stream = session.request({
      ":method": "POST",
      ":path": "/v1/chat/completions",
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    });
    stream.end(JSON.stringify({ ...CHAT, stream: true }));
    const headers = await new Promise<http2.IncomingHttpHeaders>((resolve, reject) => {
      stream.once("response", resolve);
      session.once("error", reject);
    });
    session.destroy();
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  it("what is no HTTP", async () => {
    const { port } = new URL(service.url);
    const text = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), "127.0.0.1", () => socket.write("NOT HTTP\r\n\r\n"));
      let answer = "";
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        answer += chunk;
      });
      socket.once("error", reject);
      socket.once("close", () => resolve(answer));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nx-content-type-options: nosniff\r\n/);
  });

  it("headers that are too large", async () => {
    const headers = { host: "x", "x-large": "x".repeat(70_000) };
    const { status, headers: answered } = await sendRaw(service.url, { method: "GET", path: "/v1/models", headers });
    expect([status, answered["x-content-type-options"]]).toEqual([431, "nosniff"]);
  });
});
