import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { NewFeedbackEntry } from "../../../src/feedback/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createInferenceLookup } from "../../../src/store/read/inference-lookup.ts";
import { createFeedbackStore } from "../../../src/store/write/feedback-store.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { inferenceRecord } from "../../support/inference-record.ts";
import { idAt } from "../../support/rows.ts";

function entry(changes: Partial<NewFeedbackEntry> = {}): NewFeedbackEntry {
  return {
    id: newId(),
    inferenceId: newId(),
    projectId: newId(),
    model: "some-model",
    workload: "support",
    keyId: "abcdefghijkl",
    name: "quality.tone",
    content: { kind: "boolean", value: true },
    tags: {},
    optimize: undefined,
    createdAt: new Date("2026-11-21T02:31:00.123Z"),
    ...changes,
  };
}

/** Nothing is on its way from elsewhere. */
const AT_ONCE = { arrivalMs: 0 };

describe.each(ENGINES)("createFeedbackStore() on %s", (engine) => {
  const databases = useDatabases(engine);
  const spool = { offerFeedback: () => false };

  const entriesOn = (inferenceId: string) =>
    databases.store.query().selectFrom("FeedbackEntry").selectAll().where("inferenceId", "=", inferenceId).execute();

  it("keeps each kind of entry as it came", async () => {
    const tags = Object.fromEntries([
      ["__proto__", "x"],
      ["reason", "Grüße 👋"],
    ]);
    const inferenceId = newId();
    const entries = [
      entry({ inferenceId, content: { kind: "boolean", value: false }, optimize: "min" }),
      entry({ inferenceId, content: { kind: "float", value: 5e-324 }, optimize: "max" }),
      entry({ inferenceId, content: { kind: "note", value: 'it\'s \\ "fine"\n' }, tags }),
      entry({ inferenceId, name: "__proto__", content: { kind: "float", value: 3 } }),
    ];
    const { store } = databases;
    await createFeedbackStore(store, spool).insert(entries);
    const rows = await entriesOn(inferenceId);
    const nothing = { booleanValue: null, floatValue: null, textValue: null };
    const expected = entries.map(({ content, optimize, ...facts }) => ({
      ...facts,
      ...nothing,
      kind: content.kind,
      ...(content.kind === "boolean" ? { booleanValue: content.value } : {}),
      ...(content.kind === "float" ? { floatValue: content.value } : {}),
      ...(content.kind === "note" ? { textValue: content.value } : {}),
      optimize: optimize ?? null,
    }));
    expect(rows.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected);
    // PostgreSQL keeps the members of JSON in an order of its own.
    expect(Object.entries(rows[2]?.tags ?? {}).sort()).toEqual(Object.entries(tags).sort());
  });

  it("stores thousands of entries at once, or none of them", async () => {
    const { store } = databases;
    const feedback = createFeedbackStore(store, { offerFeedback: () => false });
    const inferenceId = newId();
    const entries = Array.from({ length: 2500 }, () => entry({ inferenceId }));
    const count = async () => (await entriesOn(inferenceId)).length;
    await expect(feedback.insert([...entries, entry({ id: "no uuid", name: null as never })])).rejects.toThrow();
    expect(await count()).toBe(0);
    await feedback.insert(entries);
    expect(await count()).toBe(2500);
  });

  it("leaves to the spool what the spool takes", async () => {
    const { store } = databases;
    const recorder = createRecorder(store);
    const inferenceId = newId();
    const entries = Array.from({ length: 2500 }, () => entry({ inferenceId }));
    await createFeedbackStore(store, recorder).insert(entries);
    await recorder.close();
    expect((await entriesOn(inferenceId)).length).toBe(2500);
  });
});

describe.each(ENGINES)("createInferenceLookup() on %s", (engine) => {
  const databases = useDatabases(engine);
  const facts = { projectId: "p", model: "m", workload: "w" };

  it("finds inferences that are under way, that wait, and that are stored", async () => {
    const { store } = databases;
    const recorder = createRecorder(store, { flushIntervalMs: 60_000 });
    const underWay = newId();
    const lookup = createInferenceLookup(store, (id) => (id === underWay ? facts : recorder.find(id)), AT_ONCE);
    const record = inferenceRecord();
    const { projectId, model, workload } = record;
    expect(lookup.findRecent(underWay)).toBe(facts);
    expect(lookup.findRecent(record.id)).toBeUndefined();
    expect(await lookup.findStored([record.id])).toEqual(new Map());
    recorder.offer(record);
    expect(lookup.findRecent(record.id)).toMatchObject({ projectId, model, workload });
    await recorder.close();
    expect(lookup.findRecent(record.id)).toBeUndefined();
    expect(await lookup.findStored([record.id, newId()])).toEqual(
      new Map([[record.id, { projectId, model, workload }]]),
    );
  });

  it("waits for an inference that another process is about to write", async () => {
    const { store } = databases;
    const elsewhere = createRecorder(store, { flushIntervalMs: 300 });
    const record = inferenceRecord();
    elsewhere.offer(record);
    const lookup = createInferenceLookup(store, () => undefined);
    expect([...(await lookup.findStored([record.id])).keys()]).toEqual([record.id]);
    await elsewhere.close();
  });

  it.runIf(engine === "postgres").each([400, -1, -400])(
    "waits a moment for an inference of a process whose clock is %d days ahead",
    async (days) => {
      const elsewhere = createRecorder(databases.store, { flushIntervalMs: 50 });
      const record = inferenceRecord({ id: idAt(new Date(Date.now() + days * 86_400_000).toISOString(), 1) });
      elsewhere.offer(record);
      const lookup = createInferenceLookup(databases.store, () => undefined);
      expect([...(await lookup.findStored([record.id])).keys()]).toEqual([record.id]);
      await elsewhere.close();
    },
  );

  it("gives up on an old id at once, and on a young one soon", async () => {
    const lookup = createInferenceLookup(databases.store, () => undefined, { arrivalMs: 3000 });
    const begin = performance.now();
    expect(await lookup.findStored(["0190a5a0-7d6e-7000-8000-00000000000a", randomUUID()])).toEqual(new Map());
    expect(performance.now() - begin).toBeLessThan(2700);
    expect(await lookup.findStored([newId()])).toEqual(new Map());
    expect(performance.now() - begin).toBeGreaterThan(2700);
  });

  it("looks up as many ids as a batch may have", async () => {
    const ids = Array.from({ length: 10_000 }, newId);
    const lookup = createInferenceLookup(databases.store, () => undefined, AT_ONCE);
    expect(await lookup.findStored(ids)).toEqual(new Map());
  });
});
