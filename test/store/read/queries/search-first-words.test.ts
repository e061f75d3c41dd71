import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { searchFirstWords } from "../../../../src/store/read/queries/search-first-words.ts";
import type { InferenceSearch } from "../../../../src/store/read/queries/search-inferences.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";

describe.each(ENGINES)("searchFirstWords() on %s", (engine) => {
  const databases = useDatabases(engine);
  let count = 0;

  /** Writes inferences with first words, the oldest first, into a project of their own. */
  async function write(...rows: readonly (readonly [prompt: string, answer: string, row?: Partial<InferenceRow>])[]) {
    const { store } = databases;
    const projectId = newId();
    const body = { attempts: [], request: new Uint8Array(), response: new Uint8Array() };
    const inferences = rows.map(([prompt, answer, changes]) => {
      count += 1;
      const row = inferenceRow({ id: idAt("2026-11-21T10:00:00Z", count), projectId, ...changes });
      return { ...body, row, words: [prompt, answer] as const };
    });
    await writeBatch(store, { inferences, feedback: [] });
    const search = async (text: string, changes: Partial<InferenceSearch> = {}) => {
      const query = { projectId, limit: 50, text, budgetMs: 10_000, ...changes };
      const { rows: found, ...rest } = await searchFirstWords(store, query);
      return { ...rest, found: found.map(({ id }) => ids.indexOf(id)) };
    };
    const ids = inferences.map(({ row }) => row.id);
    return { projectId, ids, search };
  }

  it("finds prompts and answers in any case, the newest first", async () => {
    const { search } = await write(["Where is it?", ""], ["", "It is WHERE"], ["nowhere", "x"], ["a", "b"]);
    expect(await search("where")).toEqual({ found: [2, 1, 0], next: undefined, searchedTo: undefined, looked: 4 });
  });

  it("compares letters beyond ASCII in any case, and takes marks of a pattern as they are", async () => {
    const { search } = await write(["ÜBER 100%", ""], ["über 1000", ""], ["a_b!c", ""], ["axb!c", ""], ["注文は", ""]);
    expect((await search("über 100%")).found).toEqual([0]);
    expect((await search("Über 100")).found).toEqual([1, 0]);
    expect((await search("A_b!C")).found).toEqual([2]);
    expect((await search("文は")).found).toEqual([4]);
    expect((await search("文を")).found).toEqual([]);
  });

  it.each([
    // A text, and other spellings of a part of it that are canonically equivalent (UAX 15).
    ["menu of the cafe\u0301", ["caf\u00e9", "cafe\u0301", "CAF\u00c9", "CAFE\u0301", "\u00e9"]],
    ["r\u00e9sum\u00e9 of Zoe", ["re\u0301sume\u0301", "e\u0301", "zoe"]],
    ["300 K", ["300 \u212a", "300 k"]],
    ["300 \u212a", ["300 K", "300 k"]],
    ["\u304b\u3099", ["\u304c"]],
    ["\u304c", ["\u304b\u3099"]],
    ["\ud55c\uad6d", ["\u1112\u1161\u11ab"]],
    ["\uf900 one", ["\u8c48"]],
    ["a \u2260 b", ["=\u0338"]],
    ["o\u0323\u0302", ["o\u0302\u0323", "\u1ed9"]],
  ])("finds %j however it is spelled", async (text, spellings) => {
    const { search } = await write([text, ""], ["", text], ["plain cafe", "resume"]);
    const found = await Promise.all(spellings.map(async (spelling) => (await search(spelling)).found));
    expect(found).toEqual(spellings.map(() => [1, 0]));
  });

  it("takes a letter without its mark for another one", async () => {
    const { search } = await write(["cafe\u0301", ""], ["cafe", ""]);
    expect((await search("cafe")).found).toEqual([1]);
  });

  it("goes on from where it ended, and keeps to filters, facts, time and project", async () => {
    const { ids, search } = await write(
      ["needle", "", { model: "a", sessionId: "s" }],
      ["needle", "", { model: "b" }],
      ["needle", "", { model: "a" }],
      ["needle", "", { projectId: newId() }],
    );
    const first = await search("needle", { limit: 2 });
    expect([first.found, first.next]).toEqual([[2, 1], ids[1]]);
    const second = await search("needle", { limit: 2, cursor: first.next });
    expect([second.found, second.next]).toEqual([[0], undefined]);
    expect((await search("needle", { filter: { model: "a" } })).found).toEqual([2, 0]);
    expect((await search("needle", { facts: { sessionId: "s" } })).found).toEqual([0]);
    expect((await search("needle", { to: new Date("2026-11-20T10:00:00Z") })).found).toEqual([]);
  });

  it("keeps to a tag and to a value of feedback", async () => {
    const { projectId, ids, search } = await write(["needle", ""], ["needle", ""], ["needle", ""]);
    const say = (at: number, changes: object) => feedbackRow({ inferenceId: ids[at] ?? "", projectId, ...changes });
    const value = { name: "score", kind: "float", booleanValue: null, floatValue: 0.5 };
    await writeBatch(databases.store, {
      inferences: [],
      feedback: [say(0, { tags: { team: "a" }, ...value }), say(1, { tags: { team: "a" } }), say(2, value)],
    });
    const [tag, metric] = [
      { key: "team", value: "a" },
      { name: "score", compare: "=" as const, value: 0.5 },
    ];
    expect((await search("needle", { tag })).found).toEqual([1, 0]);
    expect((await search("needle", { metric })).found).toEqual([2, 0]);
    expect((await search("needle", { tag, metric })).found).toEqual([0]);
  });
});
