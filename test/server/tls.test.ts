import { readFileSync } from "node:fs";
import http2 from "node:http2";
import https from "node:https";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { createDualProtocolServer } from "../../src/server/dual-protocol.ts";
import { TlsTerminator } from "../../src/server/tls-terminator.ts";
import { certificate } from "../support/tls-postgres.ts";

const pem = (name: string) => readFileSync(certificate(name), "utf8");
const PAIR = { cert: pem("server.crt"), key: pem("server.key") };
const ca = pem("authority.crt");
const CLIENT = { cert: pem("client.crt"), key: pem("client.key") };

let app: FastifyInstance;

afterEach(() => app.close());

async function start(settings: ConstructorParameters<typeof TlsTerminator>[0]) {
  const terminator = new TlsTerminator(settings);
  app = fastify({ serverFactory: createDualProtocolServer(undefined, terminator) });
  app.get("/", async (request) => `${request.raw.httpVersion} ${request.protocol}`);
  await app.listen({ port: 0, host: "127.0.0.1" });
  return { terminator, port: (app.server.address() as AddressInfo).port };
}

type Options = Pick<https.RequestOptions, "agent" | "cert" | "key" | "ca">;

/** Asks over HTTP/1.1, and returns the answer with the name of the server's certificate. */
function get(port: number, options: Options = {}): Promise<{ text: string; subject: string | undefined }> {
  return new Promise((resolve, reject) => {
    const asked = https.get({ host: "localhost", port, ca, ...options }, (response) => {
      const { subject } = (response.socket as import("node:tls").TLSSocket).getPeerCertificate();
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ text, subject: subject?.CN?.toString() }));
    });
    asked.on("error", reject);
  });
}

function getHttp2(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const session = http2.connect(`https://localhost:${port}`, { ca });
    session.on("error", reject);
    let text = "";
    const stream = session.request({ ":path": "/" });
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    stream.on("end", () => {
      session.close();
      resolve(text);
    });
  });
}

describe("a port with TLS", () => {
  it("speaks HTTP/1.1, and HTTP/2 with clients that ask for it", async () => {
    const { port } = await start(PAIR);
    expect((await get(port)).text).toBe("1.1 https");
    expect(await getHttp2(port)).toBe("2.0 https");
  });

  it("asks clients for a certificate of an authority where it is told to", async () => {
    const { port } = await start({ ...PAIR, clientCa: ca });
    await expect(get(port)).rejects.toThrow();
    expect((await get(port, CLIENT)).text).toBe("1.1 https");
  });

  it("shows another certificate to new connections, and drops none", async () => {
    const { port, terminator } = await start(PAIR);
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    expect(await get(port, { agent })).toEqual({ text: "1.1 https", subject: "localhost" });
    terminator.replace(CLIENT);
    expect(await get(port, { agent })).toEqual({ text: "1.1 https", subject: "localhost" });
    // No client takes it for a server's: a new connection has been shown it.
    await expect(get(port)).rejects.toThrow("unsuitable certificate purpose");
    agent.destroy();
  });

  it("closes while a handshake is under way", async () => {
    const { port } = await start(PAIR);
    const socket = net.connect(port, "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    await get(port);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await app.close();
    await closed;
  });
});
