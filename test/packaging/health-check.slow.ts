import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fastify } from "fastify";
import { expect, it } from "vitest";
import { createDualProtocolServer } from "../../src/server/dual-protocol.ts";
import { TlsTerminator } from "../../src/server/tls-terminator.ts";
import { freePort } from "../support/free-port.ts";
import { certificate } from "../support/tls-postgres.ts";

const SCRIPT = join(import.meta.dirname, "..", "..", "packaging", "health-check.mjs");
const pem = (name: string) => readFileSync(certificate(name), "utf8");
const PAIR = { cert: pem("server.crt"), key: pem("server.key") };

/** Returns the status with which the check ends. */
async function check(port: number): Promise<unknown> {
  const env = { ATTUNE_HOST: "0.0.0.0", ATTUNE_PORT: String(port) };
  const [status] = await once(spawn(process.execPath, [SCRIPT], { env, stdio: "inherit" }), "exit");
  return status;
}

it.each([
  ["HTTP", undefined],
  ["HTTPS", PAIR],
  ["HTTPS that asks for a client's certificate", { ...PAIR, clientCa: pem("authority.crt") }],
])("the health check calls a service healthy that speaks %s", async (_name, settings) => {
  const terminator = settings && new TlsTerminator(settings);
  const app = fastify({ serverFactory: createDualProtocolServer(undefined, terminator) });
  app.get("/healthz", async () => "ok");
  await app.listen({ port: 0, host: "127.0.0.1" });
  try {
    expect(await check((app.server.address() as AddressInfo).port)).toBe(0);
  } finally {
    await app.close();
  }
});

it("the health check fails where nothing listens", async () => {
  expect(await check(await freePort())).toBe(1);
});

it("the health check fails where another status is answered", async () => {
  const app = fastify();
  await app.listen({ port: 0, host: "127.0.0.1" });
  try {
    expect(await check((app.server.address() as AddressInfo).port)).toBe(1);
  } finally {
    await app.close();
  }
});

it("the health check fails by itself where nobody answers", async () => {
  const silent = createServer(() => {});
  await once(silent.listen(0, "127.0.0.1"), "listening");
  try {
    expect(await check((silent.address() as AddressInfo).port)).toBe(1);
  } finally {
    silent.close();
  }
});
