import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createMissingDatabase } from "../../../src/store/database/create-database.ts";
import { applyMigrations, migrate } from "../../../src/store/database/migrate.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { connectOrm } from "../../../src/store/database/orm.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { listPartitions } from "../../../src/store/partitions/list-partitions.ts";
import { query } from "../../../src/store/types/tables.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { goBack } from "../../support/go-back.ts";
import { feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";

describe.each(ENGINES)("the migration to partitions and rollups on %s", (engine) => {
  const databases = useDatabases(engine);

  /** Fills a database as it was before this migration. */
  async function oldDatabase(rows: { inferences: object[]; feedback: object[] }): Promise<string> {
    const url = databases.newUrl();
    await createMissingDatabase(url);
    const orm = await connectOrm(url);
    const at = MIGRATIONS[engine].findIndex(({ name }) => name.endsWith("_partitions_and_rollups"));
    const before = MIGRATIONS[engine][at - 1]?.name ?? "";
    if (engine === "sqlite") await orm.migrator.getExecuted();
    await orm.migrator.up({ to: before });
    const tables = query(orm.em.fork());
    for (const row of rows.inferences as ReturnType<typeof inferenceRow>[]) {
      await tables.insertInto("Inference").values(asItWas(row)).execute();
      const body = { id: row.id, request: Buffer.from([1]), response: Buffer.from([2]) };
      await tables.insertInto("InferenceBody").values(body).execute();
    }
    for (const row of rows.feedback as ReturnType<typeof feedbackRow>[]) {
      await tables.insertInto("FeedbackEntry").values(row).execute();
    }
    await orm.close(true);
    return url;
  }

  it("keeps all rows, and counts them", async () => {
    const inferences = [
      inferenceRow({ id: idAt("2020-02-03T04:05:06Z", 1) }),
      inferenceRow({ id: newId() }),
      inferenceRow({ id: idAt("2099-01-01T00:00:00Z", 2) }),
    ];
    const feedback = [feedbackRow({ tags: { channel: "web", reason: "r".repeat(201) } })];
    const url = await oldDatabase({ inferences, feedback });
    await migrate(url);
    const store = await openStore(url);
    const tables = store.query();
    expect(await tables.selectFrom("Inference").selectAll().orderBy("id").execute()).toEqual(
      inferences.map((row) => ({ ...row, usageEstimated: false, cacheSavedNanos: null, servedModel: "" })),
    );
    expect(await tables.selectFrom("InferenceBody").select("id").orderBy("id").execute()).toEqual(
      inferences.map(({ id }) => ({ id })),
    );
    const hours = await tables.selectFrom("UsageHour").select(["calls", "latencies"]).orderBy("period").execute();
    expect(hours).toEqual(Array(3).fill({ calls: 1, latencies: "104:1 " }));
    expect(await tables.selectFrom("FeedbackDay").select("entries").execute()).toEqual([{ entries: 1 }]);
    expect(await tables.selectFrom("FeedbackTag").select(["key", "value"]).execute()).toEqual([
      { key: "channel", value: "web" },
    ]);
    await store.close();
  });

  it("goes back", async () => {
    const inferences = [inferenceRow()];
    const url = await oldDatabase({ inferences, feedback: [] });
    await migrate(url);
    const orm = await connectOrm(url);
    const later = await goBack(orm, engine, "_partitions_and_rollups");
    expect(await query(orm.em.fork()).selectFrom("Inference").selectAll().execute()).toEqual(inferences.map(asItWas));
    expect(await applyMigrations(orm, engine)).toEqual(later);
    await orm.close(true);
  });

  it.runIf(engine === "postgres")("makes the rows of before the first partition, and four more weeks", async () => {
    const old = await openStore(await oldDatabase({ inferences: [inferenceRow()], feedback: [] }));
    const [before, ...rest] = await listPartitions(old, "inference_body").then(byBounds);
    expect(before?.name).toBe("inference_body_before");
    expect(rest.map(({ bounds }) => bounds === undefined)).toEqual([...Array(28).fill(false), true]);
    await old.close();
    const names = (await listPartitions(databases.store, "inference")).map(({ name }) => name);
    expect(names.length).toBe(6);
    expect(names.filter((name) => !/^inference_(default|\d{8})$/.test(name))).toEqual([]);
  });
});

/** A row without the columns that came later. */
function asItWas(given: InferenceRow) {
  const { usageEstimated: _, cacheSavedNanos: _cache, servedModel: _model, family: _family, ...others } = given;
  const { decision: _decision, saved: _saved, twinKey: _key, ...row } = others;
  return row;
}

function byBounds<Row extends { readonly bounds: { readonly fromId: string } | undefined }>(rows: Row[]): Row[] {
  return rows.sort((a, b) => ((a.bounds?.fromId ?? "f") < (b.bounds?.fromId ?? "f") ? -1 : 1));
}
