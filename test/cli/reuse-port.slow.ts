import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Banner, untilServing } from "../support/banner.ts";
import { freePort } from "../support/free-port.ts";
import { type CliFolder, createCliFolder, type RunningCli } from "../support/run-cli.ts";

describe("server.reusePort", { timeout: 120_000 }, () => {
  let folder: CliFolder;

  beforeEach(() => {
    folder = createCliFolder();
    writeFileSync(join(folder.path, "attune.yaml"), "server: { reusePort: true }\n");
  });

  afterEach(() => folder.remove());

  async function serve(port: number): Promise<Banner & { readonly cli: RunningCli }> {
    const cli = folder.start(["serve", "--log-level", "silent", "--print-secrets"], { ATTUNE_PORT: String(port) });
    return { cli, ...(await untilServing(cli)) };
  }

  it("shares a port and an SQLite file between two processes: both answer, and one goes on when the other ends", async () => {
    const port = await freePort();
    const { cli: first, key } = await serve(port);
    const { cli: second } = await serve(port);
    const instances = new Set<string>();
    const bothAnswered = async () => instances.add((await ask(port, "/healthz")).instance).size === 2;
    await vi.waitUntil(bothAnswered, { timeout: 30_000, interval: 1 });
    // The key of the first is good at both: each gets some of these.
    const asked = Array.from({ length: 50 }, async () => (await ask(port, "/v1/models", key)).status);
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
    first.process.kill("SIGTERM");
    expect((await first.result).status).toBe(0);
    const left = await Promise.all(Array.from({ length: 20 }, async () => (await ask(port, "/healthz")).instance));
    expect(new Set(left).size).toBe(1);
    second.process.kill("SIGTERM");
    expect((await second.result).status).toBe(0);
  });

  it("says of a port that another program keeps to itself that it is not shared", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { status, stderr } = await folder.run(["serve"], { ATTUNE_PORT: String(port) });
    other.close();
    expect(status).toBe(1);
    expect(stderr).toContain(
      `attune: 127.0.0.1:${port} is in use by a process that does not share it: it lacks server.reusePort\n`,
    );
  });
});

/** Asks over a connection of its own, which the system gives to any of the processes. */
async function ask(port: number, path: string, key = ""): Promise<{ status: number; instance: string }> {
  const headers = { connection: "close", "x-api-key": key };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { status: response.status, ...((await response.json()) as { instance: string }) };
}
