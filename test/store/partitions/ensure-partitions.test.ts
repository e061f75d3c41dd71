import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readRows, transact } from "../../../src/store/database/executor.ts";
import { ensurePartitions } from "../../../src/store/partitions/ensure-partitions.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { useDatabases } from "../../support/database.ts";
import { idAt, inferenceRow } from "../../support/rows.ts";

const DAY = new Date("2031-03-05T10:00:00Z");

describe("ensurePartitions()", () => {
  const databases = useDatabases("postgres");

  async function waitUntilSomeoneWaits() {
    const sql = "select 1 from pg_locks where not granted limit 1";
    while ((await readRows(databases.store, sql, [])).length === 0) await delay(5);
  }

  it("takes in the strays that others are writing while it makes the partition", async () => {
    const { store } = databases;
    const [before, during] = [idAt(DAY.toISOString(), 1), idAt(DAY.toISOString(), 2)];
    const row = inferenceRow({ id: before });
    await writeBatch(store, {
      inferences: [{ row, attempts: [], request: undefined, response: undefined }],
      feedback: [],
    });
    let ensuring: Promise<string[]> | undefined;
    await transact(store, async (execute) => {
      // What a writer does that is not yet done: it puts another stray beside the one that is there.
      await execute(
        `insert into inference select (jsonb_populate_record(i, jsonb_build_object('id', $1::text))).*
           from inference i where id = $2`,
        [during, before],
      );
      ensuring = ensurePartitions(store, DAY, DAY);
      ensuring.catch(() => {});
      await waitUntilSomeoneWaits();
    });
    expect(await ensuring).toEqual([
      "inference_20310303",
      "inference_attempt_20310303",
      "inference_tag_20310303",
      "inference_body_20310305",
    ]);
    const strays = await readRows(store, "select id from inference_default", []);
    const taken = await readRows(store, "select id from inference_20310303 order by id", []);
    expect({ strays, taken }).toEqual({ strays: [], taken: [{ id: before }, { id: during }] });
  });
});
