import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { createLedger, startLoad } from "./load.ts";
import { compare } from "./parity.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";

const OUTAGE_MS = 60_000;
const LONGEST_WARM_UP_MS = 90_000;
const READING_MS = 10_000;
/** A process whose memory grows by less in a reading's time is warm. */
const STEADY_MIB = 10;
const CALLERS = 8;
const MEMORY_MIB = 100;

describe("PostgreSQL away under load", () => {
  let postgres: PostgresServer;
  let folder: CliFolder;

  beforeAll(async () => {
    postgres = await startPostgres();
    folder = createCliFolder();
  });

  afterAll(async () => {
    await folder.remove();
    await postgres.stop();
  });

  it("goes on for 60 s without it: no failed request, bounded memory, and every record is there afterwards", async () => {
    const databaseUrl = postgres.createDatabaseUrl();
    const store = await openStore(databaseUrl);
    const { key } = await createKey(store, { name: "known" });
    await store.close();
    const served = await startServed(folder, { ATTUNE_DATABASE_URL: databaseUrl });
    const ledger = createLedger();
    const load = startLoad({ url: served.url, key, ledger, callers: CALLERS, pauseMs: 50 });
    const before = await steadyMemoryMiB(served);
    const acknowledgedBefore = ledger.inferences.length;
    await postgres.stopServer();
    await delay(OUTAGE_MS / 2);
    const checks = await served.checks();
    const unknownKey = await statusFor(served.url, "att_000000000000_0000000000000000000000000000000000000000000");
    await delay(OUTAGE_MS / 2);
    const during = ledger.inferences.length - acknowledgedBefore;
    const after = served.residentMiB();
    await postgres.startServer();
    const begin = performance.now();
    await vi.waitUntil(async () => (await served.checks())["database"] === "ok", { timeout: 120_000, interval: 100 });
    const recoveredMs = performance.now() - begin;
    await load.stop();
    const isWritten = async () => (await served.metric("attune_recorder_queued")) === 0;
    await vi.waitUntil(isWritten, { timeout: 120_000, interval: 100 });
    const caughtUpMs = performance.now() - begin;
    expect(await served.end()).toBe(0);
    const { lostInferences, lostFeedback, rollupSurplus, unacknowledged } = await compare(databaseUrl, ledger);
    report(
      `PostgreSQL away for ${OUTAGE_MS / 1000} s: ${during} inferences meanwhile, ${ledger.failures.length} failed requests, ` +
        `${before.toFixed(0)} MiB before and ${after.toFixed(0)} MiB at the end of it, writing again after ${recoveredMs.toFixed(0)} ms, all written after ${caughtUpMs.toFixed(0)} ms, ` +
        `${lostInferences} inferences and ${lostFeedback} feedback entries lost of ${ledger.inferences.length} and ${ledger.feedback.length}`,
    );
    expect(ledger.failures).toEqual([]);
    expect({ lostInferences, lostFeedback, rollupSurplus, unacknowledged }).toEqual({
      lostInferences: 0,
      lostFeedback: 0,
      rollupSurplus: 0,
      unacknowledged: 0,
    });
    expect(checks).toEqual({ database: "away", spool: "ok", process: "serving" });
    expect(unknownKey).toBe(503);
    expect(after - before).toBeLessThan(MEMORY_MIB);
    expect(during).toBeGreaterThan(1000);
  });
});

/**
 * Waits until the process has the memory that it works with, which takes it some thousand requests with or without a
 * database.
 */
async function steadyMemoryMiB(served: Served): Promise<number> {
  const deadline = performance.now() + LONGEST_WARM_UP_MS;
  await delay(READING_MS);
  for (let before = served.residentMiB(); ; ) {
    await delay(READING_MS);
    const now = served.residentMiB();
    if (now - before < STEADY_MIB || performance.now() > deadline) return now;
    before = now;
  }
}

async function statusFor(url: string, key: string): Promise<number> {
  return (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
}
