import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { ask, createLedger, giveFeedback, type Ledger, type Target } from "./load.ts";
import { compare } from "./parity.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";
import { canMount, onSmallDisk } from "./small-disk.ts";

if (!canMount) report("NOT TESTED: a full disk, since this system lets nobody mount a disk of their own");

describe("a spool without room", () => {
  let postgres: PostgresServer;
  let folder: CliFolder;
  let spool: string;
  let databaseUrl: string;
  let key: string;
  let served: Served;
  let target: Target;
  let ledger: Ledger;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.stop());

  beforeEach(async () => {
    folder = createCliFolder();
    spool = join(folder.path, "spool");
    mkdirSync(spool);
    ledger = createLedger();
    databaseUrl = postgres.createDatabaseUrl();
    const store = await openStore(databaseUrl);
    ({ key } = await createKey(store, { name: "known" }));
    await store.close();
  });

  afterEach(async () => {
    await target.agent.close();
    await folder.remove();
  });

  /** Serves, and takes the database away. */
  async function serveWithoutDatabase(
    { maxMiB, whenFull }: { maxMiB: number; whenFull: "shed" | "refuse" },
    under?: readonly string[],
  ): Promise<void> {
    const options = `{ folder: "${spool}", maxBytes: ${maxMiB * 2 ** 20}, whenFull: ${whenFull} }`;
    writeFileSync(join(folder.path, "attune.yaml"), `spool: ${options}\n`);
    served = await startServed(folder, { ATTUNE_DATABASE_URL: databaseUrl }, under);
    target = { url: served.url, key, agent: new Agent() };
    ledger.inferences.push(await ask(target));
    await postgres.stopServer();
  }

  /** Asks until `count` answers have come, or one is refused. */
  async function askMany(count: number): Promise<string | undefined> {
    for (let turn = 0; turn < count; turn++) {
      try {
        ledger.inferences.push(await ask(target));
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    }
    return undefined;
  }

  async function startDatabaseAndEnd() {
    await postgres.startServer();
    await vi.waitUntil(async () => (await served.checks()).database === "ok", { timeout: 120_000, interval: 100 });
    await vi.waitUntil(async () => (await served.metric("attune_recorder_queued")) === 0, {
      timeout: 120_000,
      interval: 100,
    });
    expect(await askMany(1)).toBeUndefined();
    const droppedBodies = await served.metric("attune_recorder_dropped_bodies_total");
    expect(await served.metric("attune_recorder_dropped_total")).toBe(0);
    expect(await served.end()).toBe(0);
    const { lostInferences, lostFeedback, rollupSurplus, inferences } = await compare(databaseUrl, ledger);
    expect({ lostInferences, lostFeedback, rollupSurplus }).toEqual({
      lostInferences: 0,
      lostFeedback: 0,
      rollupSurplus: 0,
    });
    return { inferences, droppedBodies };
  }

  it("refuses new work beyond the bound, says so, and goes on once there is room", async () => {
    await serveWithoutDatabase({ maxMiB: 1, whenFull: "refuse" });
    const refusal = await askMany(5000);
    expect(refusal).toContain("/v1/chat/completions answered 503: ");
    expect(refusal).toContain("there is no room to record inferences at the moment: try again shortly");
    expect((await fetch(`${served.url}/readyz`)).status).toBe(503);
    expect(await served.checks()).toEqual({ database: "away", spool: "full", process: "serving" });
    const { inferences, droppedBodies } = await startDatabaseAndEnd();
    report(
      `spool of 1 MiB full, refusing: 503 after ${inferences - 2} inferences, none lost, ${droppedBodies} without bodies`,
    );
    expect(droppedBodies).toBe(0);
  });

  it("sheds bodies beyond the bound, and keeps the facts of every inference", async () => {
    await serveWithoutDatabase({ maxMiB: 1, whenFull: "shed" });
    while ((await served.metric("attune_recorder_dropped_bodies_total")) === 0)
      expect(await askMany(50)).toBeUndefined();
    expect(await served.checks()).toEqual({ database: "away", spool: "ok", process: "serving" });
    const { inferences, droppedBodies } = await startDatabaseAndEnd();
    report(`spool of 1 MiB full, shedding: ${inferences} inferences, none lost, ${droppedBodies} without bodies`);
  });

  it.skipIf(!canMount)("holds records in memory while the disk is full, and loses none", async () => {
    await serveWithoutDatabase({ maxMiB: 100, whenFull: "shed" }, onSmallDisk(spool, 1));
    while ((await served.metric("attune_recorder_unspooled")) === 0) expect(await askMany(50)).toBeUndefined();
    // Feedback that neither disk nor database takes is refused: it would be acknowledged and perhaps lost.
    // Some fits into what is left of the disk.
    const giveAll = async () => {
      for (let turn = 0; turn < 100; turn++) {
        ledger.feedback.push(...(await giveFeedback(ledger.inferences.at(-1) ?? "", target)));
      }
    };
    await expect(giveAll()).rejects.toThrow("the feedback cannot be stored at the moment");
    const unspooled = await served.metric("attune_recorder_unspooled");
    const { inferences } = await startDatabaseAndEnd();
    report(`disk of 1 MiB full: ${unspooled} of ${inferences} inferences were held in memory, none lost`);
  });
});
