import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../src/store/entities/feedback-entry.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../support/database.ts";

function entry(floatValue: number): FeedbackEntryRow {
  return {
    id: newId(),
    inferenceId: newId(),
    attempt: null,
    sessionId: null,
    rater: null,
    projectId: DEFAULT_PROJECT.id,
    keyId: "abcdefghijkl",
    name: "size",
    kind: "float",
    booleanValue: null,
    floatValue,
    textValue: null,
    tags: {},
    optimize: null,
    model: "m",
    servedModel: "",
    workload: "w",
    createdAt: new Date(),
  };
}

// The square of such a number is no double any more: PostgreSQL refused the batch, and SQLite kept a null.
describe.each(ENGINES)("feedback with the largest numbers on %s", (engine) => {
  const databases = useDatabases(engine);

  it("is written as it came, and counts as the largest that can be added up", async () => {
    const entries = [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_VALUE].map(entry);
    for (const one of entries) await writeBatch(databases.store, { inferences: [], feedback: [one] });
    const { store } = databases;
    const rows = await store.query().selectFrom("FeedbackEntry").select(["id", "floatValue"]).orderBy("id").execute();
    expect(rows).toEqual(entries.map(({ id, floatValue }) => ({ id, floatValue })));
    const hours = await store.query().selectFrom("FeedbackHour").select(["entries", "sum", "sumOfSquares"]).execute();
    const sum = (pick: (row: (typeof hours)[number]) => number) => hours.reduce((total, row) => total + pick(row), 0);
    expect([sum((row) => row.entries), sum((row) => row.sum), sum((row) => row.sumOfSquares)]).toEqual([
      3, 1e140, 3e280,
    ]);
  });
});
