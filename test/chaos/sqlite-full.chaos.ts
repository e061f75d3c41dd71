import { cpSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { createLedger, type Ledger, startLoad } from "./load.ts";
import { compare } from "./parity.ts";
import { probe, signIn } from "./probe.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";
import { canMount, onSmallDisk } from "./small-disk.ts";

const DISK_MIB = 64;
const BOOTSTRAP_KEY = "a-bootstrap-key-for-chaos";
const CALLERS = 4;
const FULL_MS = 15_000;
const LONGEST_MS = 17_000;

if (!canMount) report("NOT TESTED: SQLite on a full disk, since this system lets nobody mount a disk of their own");

describe.skipIf(!canMount)("SQLite on a disk that fills and empties again", () => {
  let folder: CliFolder;
  let disk: string;
  let ledger: Ledger;

  beforeEach(() => {
    folder = createCliFolder();
    disk = join(folder.path, "disk");
    mkdirSync(disk);
    ledger = createLedger();
  });

  afterEach(() => folder.remove());

  const read = async (served: Served, name: string) =>
    new RegExp(`^${name.replaceAll(/[{}"]/g, "\\$&")} (\\S+)$`, "m").exec(
      await (await fetch(`${served.adminUrl}/metrics`)).text(),
    )?.[1];

  /** The disk as the service sees it: no other process has it. */
  const seenBy = (served: Served) => join(`/proc/${served.cli.process.pid}/root`, disk);

  /** SQLite itself takes the path for one of this process's own disks. */
  function copyDatabase(served: Served): string {
    for (const name of ["attune.db", "attune.db-wal"]) {
      cpSync(join(seenBy(served), name), join(folder.path, name));
    }
    return `sqlite:${join(folder.path, "attune.db")}`;
  }

  function fill(served: Served): () => void {
    const ballast = join(seenBy(served), "ballast");
    const { bavail, bsize } = statfsSync(seenBy(served));
    try {
      writeFileSync(ballast, Buffer.alloc(bavail * bsize, 1));
    } catch {
      // What the service wrote meanwhile is missing in the ballast: the disk is full.
    }
    return () => rmSync(ballast);
  }

  it.each([
    { place: "another disk", isSpoolOnDisk: false },
    { place: "the same disk", isSpoolOnDisk: true },
  ])(
    "answers everything in time, goes on by itself, and loses nothing, with the spool on $place",
    async ({ place, isSpoolOnDisk }) => {
      const spool = isSpoolOnDisk ? join(disk, "spool") : join(folder.path, "spool");
      writeFileSync(join(folder.path, "attune.yaml"), `spool: { folder: "${spool}" }\n`);
      const environment = {
        ATTUNE_DATABASE_URL: `sqlite:${join(disk, "attune.db")}`,
        ATTUNE_BOOTSTRAP_KEY: BOOTSTRAP_KEY,
      };
      const store = await openStore(environment.ATTUNE_DATABASE_URL);
      const known = (await createKey(store, { name: "known" })).key;
      const other = (await createKey(store, { name: "other" })).key;
      const cookie = await signIn(store);
      await store.close();
      const served = await startServed(folder, environment, onSmallDisk(disk, DISK_MIB));
      const load = startLoad({ url: served.url, key: known, ledger, callers: CALLERS, pauseMs: 20 });
      await vi.waitUntil(() => ledger.inferences.length > 200, { timeout: 120_000, interval: 20 });
      const all = async () => {
        const headers = { authorization: `Bearer ${other}`, "content-type": "application/json" };
        const [key, feedback, dashboard] = await Promise.all([
          probe(`${served.url}/v1/models`, { headers }),
          probe(`${served.url}/v1/feedback`, {
            method: "POST",
            headers,
            body: JSON.stringify([{ id: ledger.inferences[0], feedback: { good: true } }]),
          }),
          probe(`${served.url}/dashboard/api/session.current`, { headers: { cookie } }),
        ]);
        return { key, feedback, dashboard };
      };
      const makeRoom = fill(served);
      const began = performance.now();
      await vi.waitUntil(async () => (await served.checks())["database"] === "full", {
        timeout: 120_000,
        interval: 20,
      });
      const noticedMs = performance.now() - began;
      const acknowledged = ledger.inferences.length;
      const failedBefore = ledger.failures.length;
      const meanwhile = await all();
      const ready = (await fetch(`${served.url}/readyz`)).status;
      const metric = await read(served, 'attune_database_unavailable{reason="full"}');
      await delay(FULL_MS);
      const during = ledger.inferences.length - acknowledged;
      const failed = ledger.failures.length - failedBefore;
      const unspooled = await served.metric("attune_recorder_unspooled");
      makeRoom();
      const emptied = performance.now();
      await vi.waitUntil(async () => (await served.checks())["database"] === "ok", { timeout: 120_000, interval: 20 });
      const backMs = performance.now() - emptied;
      const afterwards = await all();
      await load.stop();
      const isWritten = async () => (await served.metric("attune_recorder_queued")) === 0;
      await vi.waitUntil(isWritten, { timeout: 120_000, interval: 50 });
      const caughtUpMs = performance.now() - emptied;
      const dropped = await served.metric("attune_recorder_dropped_total");
      const { lostInferences, lostFeedback, rollupSurplus, unacknowledged } = await compare(
        copyDatabase(served),
        ledger,
      );
      expect(await served.end()).toBe(0);
      const told = Object.entries(meanwhile).map(
        ([name, { status, ms }]) => `${name} ${status} in ${ms.toFixed(0)} ms`,
      );
      report(
        `SQLite's disk full for ${FULL_MS / 1000} s, spool on ${place}: noticed after ${noticedMs.toFixed(0)} ms, ${during} inferences meanwhile, ` +
          `${failed} failed requests, ${unspooled} records in memory alone; ${told.join(", ")}; ok ${backMs.toFixed(0)} ms after there was room, ` +
          `all written after ${caughtUpMs.toFixed(0)} ms, ${lostInferences} inferences and ${lostFeedback} feedback entries lost of ` +
          `${ledger.inferences.length} and ${ledger.feedback.length}`,
      );
      expect([ready, metric]).toEqual([200, "1"]);
      expect(during).toBeGreaterThan(100);
      for (const { ms } of Object.values(meanwhile)) expect(ms).toBeLessThan(LONGEST_MS);
      expect([meanwhile.key.status, meanwhile.dashboard.status]).toEqual([200, 200]);
      // Where neither spool nor database has room, feedback would be acknowledged and perhaps lost.
      const refusals = new Set(ledger.failures.map((failure) => failure.replace(/^.*?: /, "")));
      if (!isSpoolOnDisk) expect(refusals).toEqual(new Set());
      for (const refusal of refusals) expect(refusal).toContain("the feedback cannot be stored at the moment");
      expect(Object.values(afterwards).map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(afterwards.feedback.body).toMatchObject([{ error: null }]);
      expect(dropped).toBe(0);
      expect({ lostInferences, lostFeedback, rollupSurplus, unacknowledged }).toEqual({
        lostInferences: 0,
        lostFeedback: 0,
        rollupSurplus: 0,
        unacknowledged: 0,
      });
    },
  );
});
