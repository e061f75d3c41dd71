import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHubInput } from "../../src/hub/input.ts";
import { LearningConflict } from "../../src/learning/ports.ts";
import { newId } from "../../src/lib/ids.ts";
import { createDataset } from "../../src/operations/datasets.ts";
import { deleteOldAlerts } from "../../src/store/alerts/deliveries.ts";
import { readSignals, writeSignals } from "../../src/store/alerts/signals.ts";
import { createBackgroundStore } from "../../src/store/background/background-store.ts";
import { createDatasetRuns } from "../../src/store/dashboard/dataset-runs.ts";
import { createDatasets } from "../../src/store/dashboard/datasets.ts";
import { createProjects } from "../../src/store/dashboard/projects.ts";
import { createStoreReads } from "../../src/store/dashboard/reads/reads.ts";
import { openClock } from "../../src/store/database/clock.ts";
import { beginDeletion, listDeletions, resumeDeletions } from "../../src/store/end-users/run-deletions.ts";
import { createKeyedCallStore } from "../../src/store/idempotency/keyed-call-store.ts";
import { createDatasetRunStore } from "../../src/store/learning/dataset-run-store.ts";
import { withLearningPause } from "../../src/store/learning/learning-pause.ts";
import { createStoreLeases } from "../../src/store/quotas/store-leases.ts";
import { useDatabases } from "../support/database.ts";

const SILENT_MS = 30_000;

// SQLite is of one machine, which has one clock.
describe("a replica whose clock is five minutes ahead of another one's", () => {
  const databases = useDatabases("postgres");
  const goOnAhead = () => vi.setSystemTime(Date.now() + 300_000);
  let projectId = "";

  beforeEach(async () => {
    projectId = (await createProjects(databases.store).create(newId()))?.id ?? "";
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("leaves answers in the background and under idempotency keys to it", async () => {
    const id = newId();
    const background = createBackgroundStore(databases.store);
    const keyed = createKeyedCallStore(databases.store);
    const entry = { id, projectId, keyId: newId(), model: "m", streamed: false, startedAt: new Date() };
    await background.add({ ...entry, previousId: undefined, input: createHubInput({ model: "m" }) });
    await background.beat([id]);
    await keyed.claim({ id, projectId, key: "k", bodyHash: "h", owner: newId() });
    goOnAhead();
    expect((await background.read(id, projectId))?.silentMs).toBeLessThan(SILENT_MS);
    expect((await background.silentFor(SILENT_MS)).map((row) => row.id)).not.toContain(id);
    expect((await keyed.find(projectId, "k"))?.silentMs).toBeLessThan(SILENT_MS);
  });

  it("leaves a deletion of an end user to it", async () => {
    const { store } = databases;
    const gate = Promise.withResolvers<void>();
    const waiting = { onFailure: () => {}, awaitRecords: () => gate.promise };
    const heardOf = async () => (await listDeletions(store, { projectId, limit: 1 }))[0]?.beatAt;
    const { ended } = await beginDeletion(store, { projectId, endUserId: "ada" }, waiting);
    const begun = await heardOf();
    goOnAhead();
    await resumeDeletions(store, waiting);
    expect(await heardOf()).toEqual(begun);
    gate.resolve();
    await ended;
  });

  it("leaves what limits have counted", async () => {
    const lease = { rule: "requestsPerMinute", subject: `key:${newId()}`, need: 1, wanted: 1 } as const;
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const amounts = { limit: 10, leased: 0, unspent: 0, expected: 0, owed: 0 };
    const request = { ...lease, ...amounts, startsAtMs: minute, endsAtMs: minute + 60_000 };
    await createStoreLeases(databases.store).exchange([request]);
    goOnAhead();
    goOnAhead();
    const ahead = createStoreLeases(databases.store);
    await ahead.renew();
    expect(await ahead.exchange([request])).toMatchObject([{ leasedByAll: 2 }]);
  });

  it("sees the alerts of it, and keeps them", async () => {
    const { store } = databases;
    const now = await openClock(store);
    const signal = { kind: "spool", subject: newId(), projectId: "", value: 1, expiresAtMs: now() + 60_000 } as const;
    await writeSignals(store, newId(), new Map([["spool", signal]]));
    goOnAhead();
    await deleteOldAlerts(store);
    expect(await readSignals(store)).toMatchObject([{ subject: signal.subject }]);
    const nowAhead = await openClock(store);
    expect(nowAhead()).toBeLessThan(signal.expiresAtMs);
  });

  it("begins no second rebuild", async () => {
    await withLearningPause(databases.store, async () => {
      goOnAhead();
      await expect(withLearningPause(databases.store, async () => {})).rejects.toThrow(LearningConflict);
    });
  });

  it("sees that the run of a dataset goes on", async () => {
    const { store } = databases;
    const { id } = await createDataset(createDatasets(store, createStoreReads(store)), projectId, "questions");
    const runs = createDatasetRuns(store);
    const run = { models: ["a", "b"], requests: 1, estimatedNanos: null } as const;
    const runId = (await runs.create({ projectId, id }, run)) as string;
    expect(await createDatasetRunStore(store).beat(runId)).toBe(true);
    goOnAhead();
    expect(await runs.read({ projectId, id: runId })).toMatchObject({ state: "running" });
    expect(await runs.create({ projectId, id }, run)).toBe("busy");
  });
});
