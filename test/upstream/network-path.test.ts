import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ErrorReason } from "../../src/hub/error.ts";
import { askModels } from "../../src/upstream/ask-models.ts";
import { type CloudConfig, cloudUpstream, openCloud } from "./clouds/call-cloud.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, "../support/certificates", name), "utf8");
const CA = read("authority.crt");
const CLIENT = { ca: CA, cert: read("client.crt"), key: read("client.key") };

const WHOLE =
  '{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: Server, host = "127.0.0.1"): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const answer: RequestListener = (request, response) => {
  request.resume();
  const body = request.method === "GET" ? '{"data":[{"id":"m"}]}' : WHOLE;
  response.writeHead(200, { "content-type": "application/json" }).end(body);
};

/** Starts an upstream with a certificate of the test's authority, which asks for one of that authority too. */
function startTlsUpstream(): Promise<number> {
  const [cert, key] = [read("server.crt"), read("server.key")];
  return listen(createTlsServer({ cert, key, ca: CA, requestCert: true, rejectUnauthorized: true }, answer));
}

/** Starts a proxy that opens tunnels, and notes who asks for which. */
async function startProxy(status = 200): Promise<{ url: string; asked: [string | undefined, string | undefined][] }> {
  const asked: [string | undefined, string | undefined][] = [];
  const proxy = createServer();
  proxy.on("connect", (request, socket: Socket) => {
    asked.push([request.url, request.headers["proxy-authorization"]]);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(Number(request.url?.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
    closing.push(() => target.destroy());
  });
  return { url: `http://user:p%40ss@127.0.0.1:${await listen(proxy)}`, asked };
}

const CREDENTIALS = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;

async function callOnce(config: Partial<CloudConfig> & Pick<CloudConfig, "baseUrl">) {
  const cloud = openCloud({ kind: "openai-chat", apiKey: "sk-upstream", ...config });
  const { text, error } = await cloud.call("m");
  await cloud.close();
  return error ?? text;
}

describe("the way to an upstream", () => {
  it("trusts a private authority, and shows a certificate of its own", async () => {
    const baseUrl = `https://localhost:${await startTlsUpstream()}`;
    expect(await callOnce({ baseUrl, tls: CLIENT })).toBe("Hello");
    expect(await callOnce({ baseUrl })).toMatchObject({ reason: ErrorReason.UPSTREAM_UNREACHABLE });
    expect(await callOnce({ baseUrl, tls: { ca: CA } })).toMatchObject({ reason: ErrorReason.UPSTREAM_UNREACHABLE });
    expect(await askModels(cloudUpstream({ kind: "openai-chat", baseUrl, tls: CLIENT }), ["m"], {})).toMatchObject({
      kind: "listed",
      unknown: [],
    });
  });

  it("leads through a proxy, with TLS inside its tunnel", async () => {
    const port = await startTlsUpstream();
    const { url, asked } = await startProxy();
    expect(await callOnce({ baseUrl: `https://localhost:${port}`, tls: CLIENT, proxy: url })).toBe("Hello");
    expect(asked).toEqual([[`localhost:${port}`, CREDENTIALS]]);
  });

  it("leads through a proxy to an upstream without TLS, and for questions of models", async () => {
    const port = await listen(createServer(answer));
    const { url, asked } = await startProxy();
    const baseUrl = `http://127.0.0.1:${port}`;
    expect(await callOnce({ baseUrl, proxy: url })).toBe("Hello");
    const upstream = cloudUpstream({ kind: "openai-chat", baseUrl, proxy: url });
    expect(await askModels(upstream, ["m"], {})).toMatchObject({ kind: "listed", unknown: [] });
    expect(asked).toEqual(Array(2).fill([`127.0.0.1:${port}`, CREDENTIALS]));
  });

  it("leads token services through the proxy too", async () => {
    const port = await listen(createServer(answer));
    const { url, asked } = await startProxy(502);
    const auth = { type: "azure", tenantId: "t", clientId: "c", clientSecret: "s" } as const;
    const environment = { AZURE_AUTHORITY_HOST: "http://login.example.com" };
    const config = { kind: "openai-chat" as const, baseUrl: `http://127.0.0.1:${port}`, proxy: url, auth };
    const cloud = openCloud(config, environment);
    const { error } = await cloud.call("m");
    await cloud.close();
    expect(error?.message).toBe("Entra ID cannot be reached (PROXY_STATUS_502)");
    expect(asked[0]?.[0]).toBe("login.example.com:80");
  });

  it("says that a proxy refuses, and not by which password", async () => {
    const { url } = await startProxy(407);
    const error = await callOnce({ baseUrl: "http://127.0.0.1:9", proxy: url });
    expect(error).toMatchObject({
      reason: ErrorReason.UPSTREAM_UNREACHABLE,
      message: "the connection to the upstream 'up' failed (PROXY_STATUS_407)",
    });
  });

  it("leads to a proxy that is named by an address of IPv6", async () => {
    const proxy = createServer();
    proxy.on("connect", (_request, socket: Socket) => void socket.end("HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n"));
    const error = await callOnce({
      baseUrl: "http://127.0.0.1:9",
      proxy: `http://[::1]:${await listen(proxy, "::1")}`,
    });
    expect(error).toMatchObject({ message: "the connection to the upstream 'up' failed (PROXY_STATUS_403)" });
  });

  it("says that a proxy cannot be reached", async () => {
    const error = await callOnce({ baseUrl: "http://127.0.0.1:9", proxy: "http://127.0.0.1:1" });
    expect(error).toMatchObject({ message: "the connection to the upstream 'up' failed (ECONNREFUSED)" });
  });

  it("fails a call, and nothing else, where TLS takes no such certificate", async () => {
    const port = await startTlsUpstream();
    const { url } = await startProxy();
    const tls = { ...CLIENT, key: read("server.key") };
    for (const proxy of [undefined, url]) {
      expect(await callOnce({ baseUrl: `https://localhost:${port}`, tls, proxy })).toMatchObject({
        reason: ErrorReason.UPSTREAM_UNREACHABLE,
        message: "the connection to the upstream 'up' failed (ERR_OSSL_X509_KEY_VALUES_MISMATCH)",
      });
    }
  });
});
