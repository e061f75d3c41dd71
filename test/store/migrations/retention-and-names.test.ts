import { describe, expect, it } from "vitest";
import { readRows } from "../../../src/store/database/executor.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { connectOrm } from "../../../src/store/database/orm.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { buildWeeks } from "../../../src/store/write/rollups/build-weeks.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { goBack } from "../../support/go-back.ts";
import { feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";

/** What the migration to weeks left: a table like any other. */
const PLAIN_WEEKS = [
  "create table plain as select * from usage_week",
  "drop table usage_week",
  "alter table plain rename to usage_week",
];

describe.each(ENGINES)("the migration to marks of retention and names of rollups on %s", (engine) => {
  const databases = useDatabases(engine);

  it("knows the names that are counted already, and keeps the weeks", async () => {
    const url = await databases.newMigratedUrl();
    const old = await openStore(url);
    const id = idAt("2026-01-20T10:00:00Z", 9);
    const inferences = ["support", "search", ""].map((workload, index) => ({
      row: inferenceRow({ id: idAt("2026-01-20T10:00:00Z", index), workload }),
      attempts: [],
      request: undefined,
      response: undefined,
    }));
    await writeBatch(old, { inferences, feedback: [feedbackRow({ id, name: "good" })] });
    await buildWeeks(old, new Date("2026-03-02T00:00:00Z"));
    const weeks = await old.query().selectFrom("UsageWeek").selectAll().orderBy("workload").execute();
    await old.close();
    const orm = await connectOrm(url);
    await goBack(orm, engine, "_retention_and_names");
    if (engine === "sqlite") {
      for (const sql of PLAIN_WEEKS) await orm.em.getConnection().execute(sql);
    }
    await orm.close(true);

    const store = await openStore(url);
    expect(await store.query().selectFrom("UsageWeek").selectAll().orderBy("workload").execute()).toEqual(weeks);
    expect(weeks).toHaveLength(3);
    if (engine === "sqlite") expect(await tablesWithoutRowid(store)).toContain("usage_week");
    const known = await store.query().selectFrom("RollupName").selectAll().orderBy("kind").orderBy("name").execute();
    expect(known).toEqual(
      [
        ["metric", "good"],
        ["workload", "search"],
        ["workload", "support"],
      ].map(([kind, name]) => ({ projectId: DEFAULT_PROJECT.id, kind, name })),
    );
    await store.close();
  });

  it.runIf(engine === "sqlite")("has every rollup, and the attempts, in the order of their keys", async () => {
    expect(await tablesWithoutRowid(databases.store)).toEqual([
      "feedback_day",
      "feedback_hour",
      "feedback_tag",
      "inference_attempt",
      "rollup_name",
      "usage_day",
      "usage_hour",
      "usage_week",
    ]);
  });
});

async function tablesWithoutRowid(store: Store): Promise<string[]> {
  const sql = "select name from sqlite_master where type = 'table' and sql like '%without rowid' order by name";
  return (await readRows<{ name: string }>(store, sql, [])).map(({ name }) => name);
}
