import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { listFeedback } from "../../src/store/read/queries/list-feedback.ts";
import { listInferences } from "../../src/store/read/queries/list-inferences.ts";
import { ENGINES, useDatabases } from "../support/database.ts";

/** The oldest hour of no rows was a number that PostgreSQL has no column for. */
describe.each(ENGINES)("a filtered list of a project without rows, on %s", (engine) => {
  const databases = useDatabases(engine);

  it("is empty", async () => {
    const query = { projectId: newId(), limit: 10 };
    const inferences = await listInferences(databases.store, { ...query, filter: { model: "some-model" } });
    const feedback = await listFeedback(databases.store, { ...query, filter: { kind: "note" } });
    expect([inferences, feedback]).toEqual([
      { rows: [], next: undefined },
      { rows: [], next: undefined },
    ]);
  });
});
