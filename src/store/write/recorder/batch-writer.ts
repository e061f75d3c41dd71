import { derivedId } from "../../../lib/ids.ts";
import { listColumns } from "../../database/columns.ts";
import { type Executor, transact } from "../../database/executor.ts";
import { FeedbackEntry, type FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import { FeedbackTag, type FeedbackTagRow, FINDABLE_TAG_CHARACTERS } from "../../entities/feedback-tag.ts";
import { Inference, type InferenceRow } from "../../entities/inference.ts";
import { InferenceAttempt, type InferenceAttemptRow } from "../../entities/inference-attempt.ts";
import { InferenceBody, type InferenceBodyRow } from "../../entities/inference-body.ts";
import { InferenceItem, type InferenceItemRow } from "../../entities/inference-item.ts";
import { InferenceTag, type InferenceTagRow } from "../../entities/inference-tag.ts";
import type { NamedItems } from "../../types/record-batch.ts";
import type { Engine, Store } from "../../types/store.ts";
import { createMissingInserter, createNewRowInserter } from "../insert-rows.ts";
import { createOutbox } from "../learning/outbox.ts";
import { createRollups } from "../rollups/add-rollups.ts";
import { createBodyInserter } from "./insert-bodies.ts";
import { createCallReader, idList, isInIdList, type RatedCalls, withServedModel } from "./rated-calls.ts";

/** Rows that are written together. */
interface RowBatch {
  readonly inferences: readonly InferenceRow[];
  /** By the id of the inference. */
  readonly attempts: ReadonlyMap<string, readonly InferenceAttemptRow[]>;
  /** By the id of the inference. */
  readonly bodies: ReadonlyMap<string, InferenceBodyRow>;
  /** By the id of the inference. */
  readonly items: ReadonlyMap<string, NamedItems | undefined>;
  readonly feedback: readonly FeedbackEntryRow[];
}

/** Writes rows, counts those that are new, and says what is to be learned of them, in one transaction. */
export type BatchWriter = (batch: RowBatch) => Promise<void>;

/** Does so within a transaction that somebody else ends. */
type RowWriter = (execute: Executor, batch: RowBatch) => Promise<void>;

/** Creates what writes batches to a database, a transaction each. */
export function createBatchWriter(store: Store): BatchWriter {
  const write = createRowWriter(store);
  return (batch) => transact(store, (execute) => write(execute, batch));
}

/** Creates what writes rows within a transaction: its statements are built here, once. */
export function createRowWriter(store: Store): RowWriter {
  const em = store.fork();
  const { engine } = store;
  const insertInferences = createNewRowInserter(engine, { table: "inference", columns: listColumns(em, Inference) });
  const insertAttempts = createMissingInserter(engine, {
    table: "inference_attempt",
    columns: listColumns(em, InferenceAttempt),
  });
  const insertTags = createMissingInserter(engine, { table: "inference_tag", columns: listColumns(em, InferenceTag) });
  const insertItems = createMissingInserter(engine, {
    table: "inference_item",
    columns: listColumns(em, InferenceItem),
  });
  const insertBodies = createBodyInserter(engine, listColumns(em, InferenceBody));
  const insertFeedback = createNewRowInserter(engine, {
    table: "feedback_entry",
    columns: listColumns(em, FeedbackEntry),
  });
  const insertFeedbackTags = createMissingInserter(engine, {
    table: "feedback_tag",
    columns: listColumns(em, FeedbackTag),
  });
  const addRollups = createRollups(engine, em, store.namesPerProject);
  const readCalls = createCallReader(engine);
  const writeOutbox = createOutbox(engine);
  const readRemoved = createRemovedReader(engine);

  async function writeInferences(execute: Executor, { inferences, attempts, bodies, items }: RowBatch) {
    const inserted = await insertInferences(execute, inOrder(inferences));
    await insertAttempts(
      execute,
      inserted.flatMap(({ id }) => attempts.get(id) ?? []),
    );
    await insertTags(execute, inserted.flatMap(toTags));
    // A body that was deleted meanwhile must not come back with a row that was there before.
    await insertBodies(
      execute,
      inserted.flatMap(({ id }) => bodies.get(id) ?? []),
    );
    await insertItems(
      execute,
      inserted.flatMap((row) => toItems(row, items.get(row.id))),
    );
    return inserted;
  }

  async function writeFeedback(execute: Executor, { feedback }: RowBatch, calls: RatedCalls) {
    const removed = await readRemoved(
      execute,
      feedback.map(({ id }) => id),
    );
    const left = removed.size === 0 ? feedback : feedback.filter(({ id }) => !removed.has(id));
    const named = left.map((entry) => withServedModel(entry, calls.get(entry.inferenceId)));
    const inserted = await insertFeedback(execute, inOrder(named));
    await insertFeedbackTags(execute, inserted.filter(isOfGiven).flatMap(toFeedbackTags));
    return inserted;
  }

  return async (execute, batch) => {
    const inferences = batch.inferences.length > 0 ? await writeInferences(execute, batch) : [];
    const calls: RatedCalls = batch.feedback.length > 0 ? await readCalls(execute, batch) : new Map();
    const feedback = batch.feedback.length > 0 ? await writeFeedback(execute, batch, calls) : [];
    await writeOutbox(execute, { inferences, feedback });
    // Last: all who write add to the same rows of the rollups, and wait for each other from here on.
    // What is said of answers that nobody was given says nothing of those that were.
    await addRollups(execute, { inferences, feedback: feedback.filter(isOfGiven), calls });
  };
}

/**
 * Creates what reads which entries were taken back. They come again where the process that wrote them had died before
 * it knew.
 */
function createRemovedReader(engine: Engine) {
  const sql = `select id from feedback_removal where id ${isInIdList(engine)}`;
  return async (execute: Executor, ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const rows = await execute<{ id: string }>(sql, [idList(engine, ids)]);
    return new Set(rows.map(({ id }) => id));
  };
}

/** Returns whether an entry is on the answer that was given, and not on that of another candidate. */
export function isOfGiven({ attempt }: FeedbackEntryRow): boolean {
  return attempt == null;
}

/** Returns the rows in the order of their ids, as all write them: then no two transactions can wait for each other. */
function inOrder<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}

function toTags({ id, projectId, tags }: InferenceRow): InferenceTagRow[] {
  return Object.entries(tags ?? {}).map(([name, value]) => ({ id, projectId, name, value }));
}

function toItems({ id, projectId }: InferenceRow, items: NamedItems | undefined): InferenceItemRow[] {
  if (items === undefined) return [];
  const { names, asked } = items;
  return names.map((name) => ({ id: derivedId(id, name), inferenceId: id, projectId, name, asked }));
}

function toFeedbackTags({ id, inferenceId, projectId, tags }: FeedbackEntryRow): FeedbackTagRow[] {
  return Object.entries(tags)
    .filter(([key, value]) => key.length <= FINDABLE_TAG_CHARACTERS && value.length <= FINDABLE_TAG_CHARACTERS)
    .map(([key, value]) => ({ projectId, key, value, inferenceId, feedbackId: id }));
}
