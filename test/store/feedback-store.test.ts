import { describe, expect, it } from "vitest";
import type { NewFeedbackEntry } from "../../src/feedback/ports.ts";
import { newId } from "../../src/lib/ids.ts";
import { createFeedbackStore } from "../../src/store/feedback-store.ts";
import { createInferenceLookup } from "../../src/store/inference-lookup.ts";
import { createRecorder } from "../../src/store/recorder/recorder.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { inferenceRecord } from "../support/inference-record.ts";

function entry(changes: Partial<NewFeedbackEntry> = {}): NewFeedbackEntry {
  return {
    id: newId(),
    inferenceId: newId(),
    projectId: newId(),
    keyId: "abcdefghijkl",
    name: "quality.tone",
    content: { kind: "boolean", value: true },
    tags: {},
    optimize: undefined,
    createdAt: new Date("2026-11-21T02:31:00.123Z"),
    ...changes,
  };
}

describe.each(ENGINES)("createFeedbackStore() on %s", (engine) => {
  const databases = useDatabases(engine);

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
    await createFeedbackStore(databases.store).insert(entries);
    const { store } = databases;
    const rows = await store
      .query()
      .selectFrom("FeedbackEntry")
      .selectAll()
      .where("inferenceId", "=", inferenceId)
      .execute();
    const nothing = { booleanValue: null, floatValue: null, textValue: null };
    const expected = entries.map(({ content, optimize, ...facts }) => ({
      ...facts,
      ...nothing,
      kind: content.kind,
      ...(content.kind === "boolean" ? { booleanValue: content.value } : {}),
      ...(content.kind === "float" ? { floatValue: content.value } : {}),
      ...(content.kind === "note" ? { textValue: content.value } : {}),
      optimize: optimize ?? null,
      model: "",
      workload: "",
    }));
    expect(rows.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected);
    // PostgreSQL keeps the members of JSON in an order of its own.
    expect(Object.entries(rows[2]?.tags ?? {}).sort()).toEqual(Object.entries(tags).sort());
  });

  it("stores thousands of entries at once, or none of them", async () => {
    const { store } = databases;
    const feedback = createFeedbackStore(store);
    const inferenceId = newId();
    const entries = Array.from({ length: 2500 }, () => entry({ inferenceId }));
    const count = async () => {
      const rows = await store
        .query()
        .selectFrom("FeedbackEntry")
        .select("id")
        .where("inferenceId", "=", inferenceId)
        .execute();
      return rows.length;
    };
    const repeated = entries[0] ?? entry();
    await expect(feedback.insert([...entries, repeated])).rejects.toThrow();
    expect(await count()).toBe(0);
    await feedback.insert(entries);
    expect(await count()).toBe(2500);
  });
});

describe.each(ENGINES)("createInferenceLookup() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("finds inferences that are under way, that wait, and that are stored", async () => {
    const { store } = databases;
    const recorder = createRecorder(store, { flushIntervalMs: 60_000 });
    const underWay = newId();
    const lookup = createInferenceLookup(store, (id) => (id === underWay ? "p" : recorder.find(id)?.projectId));
    const record = inferenceRecord();
    expect(lookup.findRecent(underWay)).toBe("p");
    expect(lookup.findRecent(record.id)).toBeUndefined();
    expect(await lookup.findStored([record.id])).toEqual(new Map());
    recorder.offer(record);
    expect(lookup.findRecent(record.id)).toBe(record.projectId);
    await recorder.close();
    expect(lookup.findRecent(record.id)).toBeUndefined();
    expect(await lookup.findStored([record.id, newId()])).toEqual(new Map([[record.id, record.projectId]]));
  });

  it("looks up as many ids as a batch may have", async () => {
    const ids = Array.from({ length: 10_000 }, newId);
    expect(await createInferenceLookup(databases.store, () => undefined).findStored(ids)).toEqual(new Map());
  });
});
