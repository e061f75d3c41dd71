import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { openStore } from "../../../../src/store/database/open-store.ts";
import { beforeLastValue, type MetricFilter } from "../../../../src/store/read/queries/last-day-of-value.ts";
import { listInferences } from "../../../../src/store/read/queries/list-inferences.ts";
import { firstIdAt } from "../../../../src/store/types/period.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";

const startOf = (day: number) => `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`;
const idOf = (day: number) => firstIdAt(Date.parse(startOf(day)));
const END = idOf(31);

describe.each(ENGINES)("beforeLastValue() on %s", (engine) => {
  const databases = useDatabases(engine);
  let writes = 0;

  /** Makes an id that no other test has. */
  const idOn = (day: number, number: number) => idAt(startOf(day), writes * 1000 + number);

  /**
   * Ten inferences of as many days, with a score of the number of the day on each; on the tenth day one of 100 for the
   * first.
   */
  async function write(projectId: string): Promise<void> {
    writes += 1;
    const inferences = Array.from({ length: 10 }, (_, at) => inferenceRow({ projectId, id: idOn(at + 1, at) }));
    const scores = inferences.map(({ id }, at) =>
      feedbackRow({ projectId, id: idOn(at + 1, 100 + at), inferenceId: id, floatValue: at + 1 }),
    );
    const inferenceId = inferences[0]?.id ?? "";
    const late = { projectId, inferenceId, id: idOn(10, 200) };
    const bodiless = inferences.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    const note = { kind: "note", name: "said", floatValue: null, textValue: "fine" };
    // In two batches: the second adds to what the first has counted.
    await writeBatch(databases.store, { inferences: bodiless, feedback: scores });
    const more = [feedbackRow({ ...late, floatValue: 100 }), feedbackRow({ ...late, ...note, id: newId() })];
    await writeBatch(databases.store, { inferences: [], feedback: more });
  }

  it("is the day after the last on which a value was so, and one more for clocks that are apart", async () => {
    const projectId = newId();
    await write(projectId);
    const bound = (compare: MetricFilter["compare"], value: number, range = {}) =>
      beforeLastValue(
        databases.store,
        { projectId, fromId: idOf(1), beforeId: END, ...range },
        { name: "quality", compare, value },
      );
    expect(await bound("<", 3)).toBe(idOf(4));
    expect(await bound("<", 1.5)).toBe(idOf(3));
    expect(await bound("<", 1)).toBeUndefined();
    expect(await bound(">", 99)).toBe(idOf(12));
    expect(await bound(">", 100)).toBeUndefined();
    expect(await bound("=", 4)).toBe(idOf(6));
    expect(await bound("=", 50)).toBe(idOf(12));
    expect(await bound("=", 101)).toBeUndefined();
    // Only days from the one before the first on are looked at, and no id is greater than the one that is given.
    expect(await bound("<", 3, { fromId: idOf(3) })).toBe(idOf(4));
    expect(await bound("<", 3, { fromId: idOf(4) })).toBeUndefined();
    expect(await bound("<", 9, { beforeId: idOf(5) })).toBe(idOf(5));
  });

  it("lists what fulfils a condition, and nothing of notes and other metrics", async () => {
    const projectId = newId();
    await write(projectId);
    const list = async (metric: MetricFilter) => {
      const { rows } = await listInferences(databases.store, { projectId, limit: 20, metric });
      return rows.map(({ id }) => Number(id.slice(-3)));
    };
    expect(await list({ name: "quality", compare: ">", value: 8.5 })).toEqual([9, 8, 0]);
    expect(await list({ name: "quality", compare: "=", value: 4 })).toEqual([3]);
    expect(await list({ name: "quality", compare: ">", value: 100 })).toEqual([]);
    expect(await list({ name: "said", compare: "<", value: 1 })).toEqual([]);
    expect(await list({ name: "unknown", compare: "<", value: 1 })).toEqual([]);
  });

  it("takes names that are not told apart together", async () => {
    const projectId = newId();
    writes += 1;
    const inference = inferenceRow({ projectId, id: idOn(1, 0) });
    const names = Array.from({ length: databases.store.namesPerProject + 2 }, (_, at) => `name ${at}`);
    const feedback = names.map((name, at) =>
      feedbackRow({ projectId, id: idOn(1, at), inferenceId: inference.id, name, floatValue: at }),
    );
    const written = { row: inference, attempts: [], request: undefined, response: undefined };
    await writeBatch(databases.store, { inferences: [written], feedback });
    for (const name of names) {
      const metric = { name, compare: "=", value: names.indexOf(name) } as const;
      const { rows } = await listInferences(databases.store, { projectId, limit: 2, metric });
      expect(rows).toHaveLength(1);
    }
  });

  it("rules nothing out of days whose figures are gone", async () => {
    const store = await openStore(await databases.newMigratedUrl());
    const projectId = newId();
    const never = { name: "quality", compare: ">", value: 1000 } as const;
    const range = { projectId, fromId: idOf(1), beforeId: END };
    expect(await beforeLastValue(store, range, never)).toBeUndefined();
    const mark = {
      kind: "figures",
      retentionDays: 30,
      deletedBefore: new Date(startOf(5)),
      ranAt: new Date(startOf(5)),
    };
    await store.query().insertInto("RetentionMark").values(mark).execute();
    expect(await beforeLastValue(store, range, never)).toBe(idOf(6));
    expect(await beforeLastValue(store, { ...range, fromId: idOf(7) }, never)).toBeUndefined();
    await store.close();
  });
});
