import type { FeedbackEvent, LearningEvent } from "../../../learning/events.ts";
import { newId } from "../../../lib/ids.ts";
import { CHANNELS } from "../../changes/change-feed.ts";
import { notifyChange } from "../../changes/notify-change.ts";
import type { Executor } from "../../database/executor.ts";
import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import { entryToEvent, inferenceToEvent } from "../../types/learning-events.ts";
import type { Engine } from "../../types/store.ts";

/** A step of the learner takes about twice as many; values that were said together stay together. */
const EVENTS_PER_BATCH = 1000;

/**
 * Writes what is to be learned of rows that are new or taken back, in their transaction. Nothing is written where there
 * is nothing to learn.
 */
type Outbox = (
  execute: Executor,
  rows: {
    readonly inferences: readonly InferenceRow[];
    readonly feedback: readonly FeedbackEntryRow[];
    /** The sender or operator who takes the feedback back; absent where it is new. */
    readonly takenBackBy?: "sender" | "operator";
  },
) => Promise<void>;

/** Creates the outbox of an engine. */
export function createOutbox(engine: Engine): Outbox {
  const insert =
    engine === "postgres"
      ? 'insert into "learning_batch" ("id", "due_at", "size", "events") values ($1, $2, $3, $4)'
      : 'insert into "learning_batch" ("id", "due_at", "size", "events") values (?, ?, ?, ?)';
  return async (execute, { inferences, feedback, takenBackBy }) => {
    const marks = takenBackBy && { isTakenBack: true, ...(takenBackBy === "operator" && { isErased: true }) };
    const served = inferences.filter(({ family }) => family !== "").map(inferenceToEvent);
    const values = await learnable(engine, execute, feedback.filter(hasValue));
    const batches = getBatches([
      ...served,
      ...values.map((row): FeedbackEvent => ({ ...entryToEvent(row), ...marks })),
    ]);
    if (batches.length === 0) return;
    const now = new Date();
    for (const events of batches) {
      const dueAt = engine === "postgres" ? now.toISOString() : now.getTime();
      await execute(insert, [newId(), dueAt, events.length, JSON.stringify(events)]);
    }
    await notifyChange(execute, engine, { channel: CHANNELS.learning });
  };
}

function hasValue({ kind }: FeedbackEntryRow): boolean {
  return kind === "boolean" || kind === "float";
}

/** Leaves out feedback on inferences of which nothing is learned. Those that are not here yet may still come. */
async function learnable(
  engine: Engine,
  execute: Executor,
  feedback: readonly FeedbackEntryRow[],
): Promise<readonly FeedbackEntryRow[]> {
  if (feedback.length === 0) return feedback;
  const ids = [...new Set(feedback.map(({ inferenceId }) => inferenceId))];
  const given =
    engine === "postgres"
      ? "(select value::uuid as id from json_array_elements_text($1::json))"
      : "(select value as id from json_each(?))";
  const rows = await execute<{ id: string }>(
    `select i."id" from ${given} as asked join "inference" i on i."id" = asked."id"
     where i."family" = '' and not exists (
       select 1 from "inference_attempt" a where a."id" = i."id" and a."ranking" is not null)`,
    [JSON.stringify(ids)],
  );
  const without = new Set(rows.map(({ id }) => id));
  return feedback.filter(({ inferenceId }) => !without.has(inferenceId));
}

function getBatches(events: readonly LearningEvent[]): LearningEvent[][] {
  const batches: LearningEvent[][] = [];
  let batch: LearningEvent[] = [];
  for (const event of events) {
    if (batch.length >= EVENTS_PER_BATCH && !isSameEvent(batch.at(-1), event)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(event);
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

function isSameEvent(one: LearningEvent | undefined, other: LearningEvent): boolean {
  if (one?.kind !== "feedback" || other.kind !== "feedback") return false;
  return one.inferenceId === other.inferenceId && one.attempt === other.attempt && one.atMs === other.atMs;
}
