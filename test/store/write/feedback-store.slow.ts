import { describe, expect, it } from "vitest";
import type { NewFeedbackEntry } from "../../../src/feedback/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createFeedbackStore } from "../../../src/store/write/feedback-store.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

function entry(changes: Partial<NewFeedbackEntry> = {}): NewFeedbackEntry {
  return {
    id: newId(),
    inferenceId: newId(),
    attempt: null,
    sessionId: null,
    rater: null,
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

describe.each(ENGINES)("createFeedbackStore() on %s", (engine) => {
  const databases = useDatabases(engine);
  const spool = { offerFeedback: () => false, flush: async () => {} };

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
      // Nobody knows the inference.
      servedModel: "",
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
    const feedback = createFeedbackStore(store, spool);
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
