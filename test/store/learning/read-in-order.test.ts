import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { readLogged } from "../../../src/store/learning/read-in-order.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { DECISION } from "../../support/inference-record.ts";
import { said, served, write } from "./fill.ts";

describe.each(ENGINES)("readLogged() on %s", (engine) => {
  const databases = useDatabases(engine);

  async function readAll(projectId: string, after?: string) {
    const items = [];
    for await (const item of readLogged(databases.store.query(), { projectId, model: "base" }, after)) items.push(item);
    return items;
  }

  it("yields what was decided on a workload, and what was said of its project, in the order of time", async () => {
    const projectId = newId();
    const first = served({ projectId, decision: DECISION, servedModel: "good", costNanos: 5, latencyMs: 9 });
    const verdict = said(first, true);
    const undecided = served({ projectId, family: "" });
    const ofAnother = served({ projectId, model: "good", decision: DECISION });
    const number = said(ofAnother, 2.5);
    const last = served({ projectId, decision: DECISION });
    const elsewhere = served({ projectId: newId(), decision: DECISION });
    const inferences = [first, undecided, ofAnother, last, elsewhere].map(write);
    await writeBatch(databases.store, { inferences, feedback: [verdict, number] });
    const items = await readAll(projectId);
    expect(items.map(({ kind, event }) => [kind, event.id])).toEqual([
      ["served", first.id],
      ["feedback", verdict.id],
      ["feedback", number.id],
      ["served", last.id],
    ]);
    expect(items[0]).toMatchObject({
      decision: DECISION,
      event: { model: "base", servedModel: "good", family: "tag:a", costNanos: 5, latencyMs: 9, isRefused: false },
    });
    expect(items[2]).toMatchObject({ event: { inferenceId: ofAnother.id, name: "ok", value: 2.5 } });
    expect((await readAll(projectId, first.id)).map(({ event }) => event.id)).toEqual([verdict.id, number.id, last.id]);
  });

  it("yields more than a page", async () => {
    const projectId = newId();
    const rows = Array.from({ length: 1001 }, () => served({ projectId, decision: DECISION }));
    await writeBatch(databases.store, { inferences: rows.map(write), feedback: [] });
    expect((await readAll(projectId)).map(({ event }) => event.id)).toEqual(rows.map(({ id }) => id));
  });
});
