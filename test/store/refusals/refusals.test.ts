import { describe, expect, it } from "vitest";
import type { RefusalReason, RefusalSample } from "../../../src/hub/refusals.ts";
import { newId } from "../../../src/lib/ids.ts";
import { groupRefusals, readRefusalSteps } from "../../../src/store/refusals/read-refusal-steps.ts";
import { readRefusals } from "../../../src/store/refusals/read-refusals.ts";
import { writeRefusals } from "../../../src/store/refusals/write-refusals.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { refusedAt } from "../../support/rows.ts";

const NOW = new Date("2026-11-27T10:30:00Z");
const HOUR_MS = 3_600_000;
const AT = refusedAt(NOW.getTime());
const SINCE = new Date("2026-11-27T00:00:00Z");

function sample(projectId: string, keyId: string, message: string, reason: RefusalReason = "bad_request") {
  return { id: newId(), at: NOW, reason, projectId, keyId, call: "POST /v1/messages", message } satisfies RefusalSample;
}

describe.each(ENGINES)("refusals on %s", (engine) => {
  const databases = useDatabases(engine);

  it("keeps a message that holds what PostgreSQL cannot", async () => {
    const { store } = databases;
    await writeRefusals(store, { counts: [], samples: [sample("nul", "a", "the model 'a\0b\ud800' is not here")] });
    const rows = await store
      .query()
      .selectFrom("RefusedCall")
      .select("message")
      .where("projectId", "=", "nul")
      .execute();
    expect(rows).toEqual([{ message: "the model 'a\ufffdb\ufffd' is not here" }]);
  });

  it("adds up counts of batches, and tells projects and keys apart", async () => {
    const { store } = databases;
    const count = { ...AT, reason: "bad_request", projectId: "sums", keyId: "a", calls: 3 } as const;
    const former = { ...count, ...refusedAt(NOW.getTime() - 24 * HOUR_MS), calls: 50 };
    await writeRefusals(store, { counts: [count, { ...count, keyId: "b" }, former], samples: [] });
    await writeRefusals(store, {
      counts: [
        { ...count, calls: 4 },
        { ...count, projectId: "other" },
      ],
      samples: [],
    });
    const { counts } = await readRefusals(store, { projectId: "sums", since: SINCE });
    expect(counts).toEqual([
      { reason: "bad_request", projectId: "sums", keyId: "a", calls: 7 },
      { reason: "bad_request", projectId: "sums", keyId: "b", calls: 3 },
    ]);
    const own = await readRefusals(store, { projectId: "sums", keyId: "b", since: SINCE });
    expect(own.counts).toMatchObject([{ keyId: "b", calls: 3 }]);
  });

  it("tells when the first and the last were, by the minute for two hours", async () => {
    const { store } = databases;
    const [projectId, minute, nowMs] = ["minutes", 60_000, NOW.getTime()];
    const count = { reason: "limit", projectId, keyId: "a", calls: 1 } as const;
    const at = (timeMs: number) => ({ ...count, ...refusedAt(timeMs) });
    await writeRefusals(store, { counts: [at(nowMs - 3 * HOUR_MS), at(nowMs - 20 * minute)], samples: [] });
    await writeRefusals(store, { counts: [at(nowMs - 1), at(nowMs - 2 * minute), at(nowMs)], samples: [] });
    const time = { projectId, range: { from: new Date(nowMs - HOUR_MS), to: new Date(nowMs + 1) } };
    const minutes = await readRefusalSteps(store, { ...time, stepMs: 2 * minute });
    expect(minutes.map(({ start, calls }) => [(nowMs - start.getTime()) / minute, calls])).toEqual([
      [20, 1],
      [2, 1],
      [1, 1],
      [0, 1],
    ]);
    const group = { reason: "limit", keyId: "a", firstMs: nowMs - 20 * minute, lastMs: nowMs };
    const groups = { byKey: true, limit: 9 };
    expect(await groupRefusals(store, { ...time, stepMs: 2 * minute, ...groups })).toEqual({
      groups: [{ ...group, calls: 4 }],
      count: 1,
    });
    const day = { projectId, range: { from: SINCE, to: NOW }, stepMs: HOUR_MS, ...groups };
    expect(await groupRefusals(store, day)).toMatchObject({
      groups: [{ firstMs: nowMs - 3 * HOUR_MS, lastMs: nowMs, calls: 5 }],
    });
    const old = { projectId, range: { from: SINCE, to: new Date(nowMs - 2 * HOUR_MS - minute) }, stepMs: minute };
    expect(await readRefusalSteps(store, old)).toEqual([]);
  });

  it("keeps the last 100 samples of each reason and project", async () => {
    const { store } = databases;
    const other = sample("samples", "b", "other", "too_large");
    const samples = Array.from({ length: 100 }, (_, at) => sample("samples", "a", String(at)));
    const counts = [{ ...AT, reason: "bad_request", projectId: "samples", keyId: "a", calls: 100 } as const];
    await writeRefusals(store, { counts, samples: [other, ...samples] });
    const later = Array.from({ length: 30 }, (_, at) => sample("samples", "a", String(100 + at)));
    await writeRefusals(store, { counts, samples: later });
    const kept = await readRefusals(store, { projectId: "samples", since: SINCE });
    expect(kept.samples).toHaveLength(101);
    expect(kept.samples[0]).toEqual(later.at(-1));
    expect(kept.samples.filter(({ reason }) => reason === "bad_request").at(-1)?.message).toBe("30");
    const own = await readRefusals(store, { projectId: "samples", keyId: "b", since: SINCE });
    expect(own.samples).toEqual([other]);
  });

  it("forgets counts of more than 90 days ago", async () => {
    const { store } = databases;
    const count = {
      ...refusedAt(NOW.getTime() - 91 * 24 * HOUR_MS),
      reason: "limit",
      projectId: "old",
      keyId: "a",
      calls: 1,
    } as const;
    await writeRefusals(store, { counts: [count], samples: [] });
    await writeRefusals(store, { counts: [{ ...count, ...AT }], samples: [] });
    const { counts } = await readRefusals(store, { projectId: "old", since: new Date(0) });
    expect(counts).toMatchObject([{ calls: 1 }]);
  });
});
