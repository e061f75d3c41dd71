import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type CliFolder, createCliFolder, type RunningCli } from "../support/run-cli.ts";

let folder: CliFolder;
let port: number;

beforeAll(async () => {
  folder = createCliFolder();
  writeFileSync(join(folder.path, "attune.yaml"), "server: { reusePort: true }\n");
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => probe.once("listening", done));
  port = (probe.address() as { port: number }).port;
  await new Promise((done) => probe.close(done));
});

afterAll(() => folder.remove());

async function serve(): Promise<RunningCli> {
  const cli = folder.start(["serve", "--log-level", "silent"], { ATTUNE_PORT: String(port) });
  await vi.waitUntil(() => cli.printed().includes("address"), { timeout: 15_000, interval: 20 });
  return cli;
}

/** Asks over a connection of its own, which the system gives to any of the processes. */
async function ask(path: string, key = ""): Promise<{ status: number; instance: string }> {
  const headers = { connection: "close", "x-api-key": key };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { status: response.status, ...((await response.json()) as { instance: string }) };
}

it("shares a port and an SQLite file between two processes: both answer, and one goes on when the other ends", async () => {
  const first = await serve();
  const key = /att_[0-9a-z]{12}_[0-9A-Za-z]{43}/.exec(first.printed())?.[0] ?? "";
  const second = await serve();
  const instances = new Set<string>();
  const bothAnswered = async () => instances.add((await ask("/healthz")).instance).size === 2;
  await vi.waitUntil(bothAnswered, { timeout: 10_000, interval: 1 });
  // The key of the first is good at both: each gets some of these.
  const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await ask("/v1/models", key)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  first.process.kill("SIGTERM");
  expect((await first.result).status).toBe(0);
  const left = await Promise.all(Array.from({ length: 20 }, async () => (await ask("/healthz")).instance));
  expect(new Set(left).size).toBe(1);
  second.process.kill("SIGTERM");
  expect((await second.result).status).toBe(0);
});

it("says of a port that another program keeps to itself that it is not shared", async () => {
  const other = createServer().listen(port, "127.0.0.1");
  await new Promise((done) => other.once("listening", done));
  const { status, stderr } = await folder.run(["serve"], { ATTUNE_PORT: String(port) });
  other.close();
  expect(status).toBe(1);
  expect(stderr).toContain(
    `attune: 127.0.0.1:${port} is in use by a process that does not share it: it lacks server.reusePort\n`,
  );
});
