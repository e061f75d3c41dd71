import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../../../src/store/entities/feedback-entry.ts";
import {
  type FeedbackSizesQuery,
  type FeedbackSource,
  readFeedback,
  readFeedbackSizes,
  selectFeedback,
} from "../../../../src/store/read/queries/read-feedback.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow } from "../../../support/rows.ts";

describe.each(ENGINES)("the feedback on inferences on %s", (engine) => {
  const databases = useDatabases(engine);

  /** Reads it, and counts the statements. */
  function watchedSource() {
    const statements: string[] = [];
    const source: FeedbackSource = {
      readFeedbackSizes: (query: FeedbackSizesQuery) => {
        statements.push("sizes");
        return readFeedbackSizes(databases.store, query);
      },
      selectFeedback: (ids) => {
        statements.push(`${ids.length} entries`);
        return selectFeedback(databases.store, ids);
      },
    };
    return { source, statements };
  }

  const write = (feedback: readonly FeedbackEntryRow[]) =>
    writeBatch(databases.store, { inferences: [], feedback: [...feedback] });

  it("is read at once where it is little, the oldest first, and only what the project said", async () => {
    const [projectId, one, other, none] = [newId(), newId(), newId(), newId()];
    const entries = [one, other, one].map((inferenceId) => feedbackRow({ projectId, inferenceId }));
    await write([...entries, feedbackRow({ projectId: newId(), inferenceId: one })]);
    const { source, statements } = watchedSource();
    const read = await readFeedback(source, projectId, [one, other, none]);
    expect(await Array.fromAsync(read(one))).toEqual([[entries[0], entries[2]]]);
    expect(await Array.fromAsync(read(other))).toEqual([[entries[1]]]);
    expect(await Array.fromAsync(read(none))).toEqual([]);
    expect(statements).toEqual(["sizes", "3 entries"]);
  });

  it("is read by several statements where it is more than one should read", async () => {
    const [projectId, ids] = [newId(), [newId(), newId(), newId()]];
    const entries = Array.from({ length: 450 }, (_, at) => feedbackRow({ projectId, inferenceId: ids[at % 3] }));
    await write(entries);
    const { source, statements } = watchedSource();
    const read = await readFeedback(source, projectId, ids);
    expect(statements).toEqual(["sizes", "200 entries", "200 entries", "50 entries"]);
    for (const [at, id] of ids.entries()) {
      expect((await Array.fromAsync(read(id))).flat()).toEqual(entries.filter((_, of) => of % 3 === at));
    }
  });

  it("is asked for once where there is none", async () => {
    const { source, statements } = watchedSource();
    const read = await readFeedback(source, newId(), [newId()]);
    expect(await Array.fromAsync(read(newId()))).toEqual([]);
    expect(statements).toEqual(["sizes"]);
  });

  it("comes in parts where it is much, of each inference as it is asked for", async () => {
    const [projectId, much, little] = [newId(), newId(), newId()];
    const entryOf = (inferenceId: string) => feedbackRow({ projectId, inferenceId });
    const entries = Array.from({ length: 300 }, () => entryOf(much));
    const foreign = feedbackRow({ projectId: newId(), inferenceId: much });
    entries.push(...Array.from({ length: 750 }, () => entryOf(much)));
    const last = entryOf(little);
    await write([...entries, foreign, last]);
    const { source, statements } = watchedSource();
    const read = await readFeedback(source, projectId, [much, little]);
    expect(statements).toEqual(["sizes"]);
    const parts = await Array.fromAsync(read(much));
    // The entry of the other project takes a place in the second part.
    expect(parts.map(({ length }) => length)).toEqual([200, 199, 200, 200, 200, 51]);
    expect(parts.flat()).toEqual(entries);
    expect(await Array.fromAsync(read(little))).toEqual([[last]]);
  });

  it("comes in parts where its texts are long, however few", async () => {
    const [projectId, inferenceId] = [newId(), newId()];
    const noteOf = (bytes: number) =>
      feedbackRow({ projectId, inferenceId, kind: "note", floatValue: null, textValue: "é".repeat(bytes / 2) });
    const entries = [400_000, 400_000, 400_000, 2_000_000, 10].map(noteOf);
    await write(entries);
    const read = await readFeedback(watchedSource().source, projectId, [inferenceId]);
    const parts = await Array.fromAsync(read(inferenceId));
    expect(parts.map(({ length }) => length)).toEqual([2, 1, 1, 1]);
    expect(parts.flat()).toEqual(entries);
  });
});
