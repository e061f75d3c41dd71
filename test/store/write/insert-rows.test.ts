import { describe, expect, it } from "vitest";
import { listColumns } from "../../../src/store/database/columns.ts";
import { transact } from "../../../src/store/database/executor.ts";
import { Inference } from "../../../src/store/entities/inference.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { createMissingInserter, createNewRowInserter } from "../../../src/store/write/insert-rows.ts";
import { recordToRow } from "../../../src/store/write/recorder/record-to-row.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { inferenceRecord } from "../../support/inference-record.ts";

async function modelsOf(store: Store, ids: readonly string[]): Promise<string[]> {
  const found = await store
    .query()
    .selectFrom("Inference")
    .select("model")
    .where("id", "in", ids)
    .orderBy("id")
    .execute();
  return found.map(({ model }) => model);
}

describe.each(ENGINES)("rows that are inserted on %s", (engine) => {
  const databases = useDatabases(engine);
  const rowOf = (model: string, id?: string) =>
    recordToRow(inferenceRecord({ model, ...(id !== undefined && { id }) }));

  it("are those that are not there yet, each once, and come back in their order", async () => {
    const { store } = databases;
    const insert = createNewRowInserter(engine, { table: "inference", columns: listColumns(store.fork(), Inference) });
    const [one, two, three] = [rowOf("one"), rowOf("two"), rowOf("three")];
    expect(await transact(store, (execute) => insert(execute, [one]))).toEqual([one]);
    const again = rowOf("again", two.id);
    expect(await transact(store, (execute) => insert(execute, [two, one, three, again]))).toEqual([two, three]);
    expect(await transact(store, (execute) => insert(execute, []))).toEqual([]);
    expect(await modelsOf(store, [one.id, two.id, three.id])).toEqual(["one", "two", "three"]);
  });

  it("are undone with their transaction", async () => {
    const { store } = databases;
    const insert = createMissingInserter(engine, { table: "inference", columns: listColumns(store.fork(), Inference) });
    const rows = [rowOf("one"), rowOf("two")];
    const failing = transact(store, async (execute) => {
      await insert(execute, rows);
      throw new Error("not after all");
    });
    await expect(failing).rejects.toThrow("not after all");
    expect(
      await modelsOf(
        store,
        rows.map(({ id }) => id),
      ),
    ).toEqual([]);
  });
});
