import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { readRows } from "../../../src/store/database/executor.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { connectOrm } from "../../../src/store/database/orm.ts";
import { listPartitions } from "../../../src/store/partitions/list-partitions.ts";
import { PARTITION_PLANS, planPartitions } from "../../../src/store/partitions/partition-plan.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { goBack } from "../../support/go-back.ts";
import { attemptRow, inferenceRow } from "../../support/rows.ts";

const WEEK_MS = 7 * 86_400_000;

describe.each(ENGINES)("the migration to attempts on %s", (engine) => {
  const databases = useDatabases(engine);

  it("keeps inferences and figures of before, of which no attempt and no saving is known", async () => {
    const url = await databases.newMigratedUrl();
    const old = await openStore(url);
    const row = inferenceRow({ cacheSavedNanos: 500, usageEstimated: true });
    const write = { row, attempts: [attemptRow({ id: row.id })], request: undefined, response: undefined };
    await writeBatch(old, { inferences: [write], feedback: [] });
    await old.close();
    const orm = await connectOrm(url);
    await goBack(orm, engine, "_attempts");
    await orm.close(true);

    const store = await openStore(url);
    const tables = store.query();
    expect(await tables.selectFrom("Inference").selectAll().execute()).toEqual([
      { ...row, usageEstimated: false, cacheSavedNanos: null, servedModel: "" },
    ]);
    expect(await tables.selectFrom("InferenceAttempt").selectAll().execute()).toEqual([]);
    expect(await tables.selectFrom("UsageDay").select(["calls", "cacheSavedNanos"]).execute()).toEqual([
      { calls: 1, cacheSavedNanos: 0 },
    ]);
    await store.close();
  });

  it.runIf(engine === "postgres")("makes a partition for this week and for four after it", async () => {
    const { store } = databases;
    const now = new Date();
    const plan = PARTITION_PLANS.find(({ table }) => table === "inference_attempt");
    if (plan === undefined) throw new Error("attempts have no partitions");
    const planned = planPartitions(plan, now, new Date(now.getTime() + 4 * WEEK_MS));
    expect(await listPartitions(store, "inference_attempt")).toEqual([
      ...planned.map(({ name, fromId, beforeId }) => ({ name, bounds: { fromId, beforeId } })),
      { name: "inference_attempt_default", bounds: undefined },
    ]);
    const row = inferenceRow({ id: newId() });
    const write = { row, attempts: [attemptRow({ id: row.id })], request: undefined, response: undefined };
    await writeBatch(store, { inferences: [write], feedback: [] });
    expect(await readRows(store, `select id from "${planned[0]?.name}"`, [])).toEqual([{ id: row.id }]);
  });
});
