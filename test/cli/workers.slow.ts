import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createLedger, startLoad } from "../chaos/load.ts";
import { type Banner, untilServing } from "../support/banner.ts";
import { childrenOf } from "../support/children.ts";
import { freePort } from "../support/free-port.ts";
import { type CliFolder, createCliFolder, type RunningCli } from "../support/run-cli.ts";

const PATIENT = { timeout: 60_000, interval: 50 };

/** Asks over a connection of its own, which goes to any of the workers. */
async function ask(url: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  const response = await fetch(url, { headers: { connection: "close", ...headers } });
  return { status: response.status, body: await response.text() };
}

async function instanceAt(url: string): Promise<string> {
  return (JSON.parse((await ask(`${url}/healthz`)).body) as { instance: string }).instance;
}

async function instancesAt(url: string): Promise<Set<string>> {
  return new Set(await Promise.all(Array.from({ length: 12 }, () => instanceAt(url))));
}

async function metric({ adminUrl }: Banner, name: string): Promise<number> {
  const { body } = await ask(`${adminUrl}/metrics`);
  const values = [...body.matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, "gm"))].map(([, value]) => Number(value));
  return values.reduce((sum, value) => sum + value, 0);
}

describe("attune serve --workers", { timeout: 240_000 }, () => {
  let folder: CliFolder;
  let cli: RunningCli;
  let banner: Banner;

  beforeAll(async () => {
    folder = createCliFolder();
    cli = folder.start(["serve", "--workers", "2", "--print-secrets"], { ATTUNE_PORT: "0", ATTUNE_ADMIN_PORT: "0" });
    banner = await untilServing(cli);
    await vi.waitUntil(async () => (await metric(banner, "attune_workers")) === 2, PATIENT);
  });

  afterAll(() => folder.remove());

  const logged = async (text: string, count: number): Promise<void> => {
    await vi.waitUntil(() => cli.complained().split(text).length > count, PATIENT);
  };

  it("serves from all of them on one port, with the key that the first one made", async () => {
    expect((await instancesAt(banner.url)).size).toBe(2);
    const headers = { authorization: `Bearer ${banner.key}` };
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(`${banner.url}/v1/models`, headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // One process shows the key, and the link of the dashboard's first account, once.
    expect(cli.printed().match(/Attune serves/g)).toHaveLength(1);
    expect(cli.printed().match(/#token=/g)).toHaveLength(1);
  });

  it("takes feedback at once on what another one has answered, and tells the figures of all on any", async () => {
    const ledger = createLedger();
    const load = startLoad({ url: banner.url, key: banner.key, ledger, callers: 8 });
    await vi.waitUntil(() => ledger.inferences.length >= 300, PATIENT);
    await load.stop();
    expect(ledger.failures).toEqual([]);
    expect(ledger.feedback.length).toBeGreaterThan(200);
    const pages = await Promise.all(Array.from({ length: 4 }, () => metric(banner, "attune_inferences_total")));
    expect(new Set(pages)).toEqual(new Set([ledger.inferences.length]));
  });

  it("has metrics and health of all on the admin port, and no metrics on the public one", async () => {
    expect((await ask(`${banner.url}/metrics`)).status).toBe(404);
    expect(await instancesAt(banner.adminUrl)).toEqual(await instancesAt(banner.url));
  });

  it("puts another one in the place of one that was killed, while the other serves", async () => {
    const pid = cli.process.pid ?? 0;
    const [victim = 0, other] = childrenOf(pid);
    const before = await metric(banner, "attune_inferences_total");
    process.kill(victim, "SIGKILL");
    await logged("a worker ended; starting another one", 1);
    await ask(`${banner.url}/healthz`);
    await vi.waitUntil(async () => (await metric(banner, "attune_workers")) === 2, PATIENT);
    expect((await instancesAt(banner.url)).size).toBe(2);
    expect(childrenOf(pid)).toContain(other);
    expect(childrenOf(pid)).not.toContain(victim);
    // A sum that fell would look as if all had begun anew.
    expect(await metric(banner, "attune_inferences_total")).toBe(before);
  });

  it("ends the calls whose connections were being handed to one that was killed, and serves on", async () => {
    const [victim = 0] = childrenOf(cli.process.pid ?? 0);
    const since = cli.complained().split("a worker ended; starting another one").length - 1;
    // It takes no connection any more, and every second one is for it.
    process.kill(victim, "SIGSTOP");
    const calls = Array.from({ length: 2 }, () => instanceAt(banner.url).catch(() => "failed"));
    await Promise.any(calls);
    process.kill(victim, "SIGKILL");
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer === "failed")).toHaveLength(1);
    await logged("a worker ended; starting another one", since + 1);
    await vi.waitUntil(async () => (await instancesAt(banner.url)).size === 2, PATIENT);
  });

  it("replaces all at SIGHUP without a failed request", async () => {
    const before = await instancesAt(banner.url);
    const ledger = createLedger();
    const load = startLoad({ url: banner.url, key: banner.key, ledger, callers: 8, pauseMs: 20 });
    await vi.waitUntil(() => ledger.inferences.length >= 50, PATIENT);
    cli.process.kill("SIGHUP");
    await logged("a new worker serves; the old one shuts down", 2);
    const since = ledger.inferences.length;
    await vi.waitUntil(async () => (await instancesAt(banner.url)).isDisjointFrom(before), PATIENT);
    await vi.waitUntil(() => ledger.inferences.length >= since + 100, PATIENT);
    await load.stop();
    expect(ledger.failures).toEqual([]);
  });

  it("goes on as before where a configuration is wrong at SIGHUP", async () => {
    const before = await instancesAt(banner.url);
    writeFileSync(join(folder.path, "attune.yaml"), "server: { prot: 1 }\n");
    cli.process.kill("SIGHUP");
    await logged("a new worker did not start; the old ones keep serving", 1);
    expect(cli.complained()).toContain("prot");
    expect(await instancesAt(banner.url)).toEqual(before);
  });

  it("ends all at SIGTERM, with what is recorded written", async () => {
    const workers = childrenOf(cli.process.pid ?? 0);
    cli.process.kill("SIGTERM");
    const { status } = await cli.result;
    expect(status).toBe(0);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});

describe("attune serve --workers, where it cannot start", { timeout: 60_000 }, () => {
  let folder: CliFolder;

  afterEach(() => folder.remove());

  it.each(["0", "1.5", "many", "257"])("refuses %s", async (workers) => {
    folder = createCliFolder();
    const { status, stderr } = await folder.run(["serve", "--workers", workers]);
    expect(status).toBe(1);
    expect(stderr).toContain("must be auto or a whole number from 1 to 256");
  });

  it("ends with the message and the status of a single process", async () => {
    folder = createCliFolder();
    writeFileSync(join(folder.path, "attune.yaml"), "server: { prot: 1 }\n");
    const { status, stderr } = await folder.run(["serve"], { ATTUNE_WORKERS: "2" });
    expect(status).toBe(1);
    expect(stderr).toContain("prot");
  });

  it("says that the admin port is in use", async () => {
    folder = createCliFolder();
    const port = await freePort();
    const first = folder.start(["serve"], { ATTUNE_PORT: "0", ATTUNE_ADMIN_PORT: String(port) });
    await untilServing(first);
    const environment = { ATTUNE_PORT: "0", ATTUNE_ADMIN_PORT: String(port), ATTUNE_DATABASE_URL: "sqlite:other.db" };
    for (const workers of ["1", "2"]) {
      const { status, stderr } = await folder.run(["serve", "--workers", workers], environment);
      expect([workers, status]).toEqual([workers, 1]);
      expect(stderr).toContain(
        `127.0.0.1:${port} is in use: set server.adminPort or ATTUNE_ADMIN_PORT to another port`,
      );
    }
  });

  it("says that a port is in use", async () => {
    folder = createCliFolder();
    const port = await freePort();
    const first = folder.start(["serve", "--workers", "2"], { ATTUNE_PORT: String(port) });
    await untilServing(first);
    const { status, stderr } = await folder.run(["serve", "--workers", "2"], {
      ATTUNE_PORT: String(port),
      ATTUNE_DATABASE_URL: "sqlite:other.db",
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`127.0.0.1:${port} is in use`);
    first.process.kill("SIGINT");
    expect((await first.result).status).toBe(0);
  });
});
