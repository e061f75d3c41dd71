import type { SqlEntityManager } from "@mikro-orm/sql";
import { type Kysely, sql as statement } from "kysely";
import type { LearningEvent } from "../../learning/events.ts";
import { learnStep } from "../../learning/learner/learn-step.ts";
import type { MemorySnapshot, WorkloadModel } from "../../learning/learner/workload-model.ts";
import { WorkloadModels, type WorkloadModelsOptions } from "../../learning/learner/workload-models.ts";
import { keyText, type LearningStep, type StoredState } from "../../learning/ports.ts";
import { createTimeSlicer } from "../../lib/time-slicer.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { createExecutor } from "../database/executor.ts";
import { openReadOnly } from "../database/open-store.ts";
import { withStatementLimit } from "../database/statement-limit.ts";
import type { Store } from "../types/store.ts";
import { query, type Tables } from "../types/tables.ts";
import { sql, timeIn } from "./engine-sql.ts";
import type { LearningPause } from "./learning-pause.ts";
import { createLearningReads } from "./learning-reads.ts";
import { readInOrder } from "./read-in-order.ts";
import { writeHistory } from "./write-learned.ts";

/** The options of a rebuild. */
export interface RebuildOptions extends WorkloadModelsOptions {
  readonly databaseUrl: string;
  readonly projectId: string;
  /** Told from time to time how many events were learned from. */
  readonly onProgress?: (events: number) => unknown;
  /** Called in the transaction that replaces the states; nothing is replaced where it rejects. */
  readonly onReplaced?: (em: SqlEntityManager, result: RebuildResult) => Promise<void>;
}

/** The result of a rebuild. */
export interface RebuildResult {
  readonly events: number;
  readonly workloads: number;
}

const EVENTS_AT_ONCE = 1000;
const STATEMENT_MS = 60_000;

/**
 * Learns all workloads of a project anew, from what the database has of inferences and feedback, and puts the states in
 * place of those that were there. Nothing is learned during the pause; what comes in waits. All is read as it is at one
 * moment, and with it what waits then: that was learned by the rebuild, and what comes later is not. Rejects with a
 * LearningConflict if somebody learned all the same.
 */
export async function rebuildWorkloads(
  store: Store,
  pause: LearningPause,
  options: RebuildOptions,
): Promise<RebuildResult> {
  const { projectId, onReplaced } = options;
  return await withStatementLimit(STATEMENT_MS, async () => {
    const learned = await atOneMoment(store, options.databaseUrl, (tables) => learnAll(store, tables, options));
    const result = { events: learned.events, workloads: learned.memories.length };
    await store.unitOfWork(async (em) => {
      const execute = createExecutor(query(em));
      await pause.takeTurn(execute);
      await replaceStates(store, execute, learned.memories);
      await settleWaiting(store, execute, learned, projectId);
      await notifyChange(execute, store.engine, { channel: CHANNELS.workloads });
      appendAuditEntry(em, {
        ...store.origin,
        projectId,
        action: "learning.rebuild",
        target: { kind: "project", id: projectId, name: "" },
        before: null,
        after: { workloads: result.workloads, events: result.events },
      });
      await onReplaced?.(em, result);
    });
    return result;
  });
}

interface LearnedAll {
  readonly memories: readonly WorkloadModel[];
  readonly events: number;
  /** Batches that waited at the moment of reading. */
  readonly waiting: ReadonlySet<string>;
  /** Feedback whose inference is still to come, or of which it is still to be seen whether it is a copy. */
  readonly unknown: ReadonlySet<string>;
}

async function learnAll(store: Store, tables: Kysely<Tables>, options: RebuildOptions): Promise<LearnedAll> {
  const execute = createExecutor(tables);
  const waiting = new Set((await tables.selectFrom("LearningBatch").select("id").execute()).map(({ id }) => id));
  const memories = new WorkloadModels(options);
  const known = new Map<string, WorkloadModel>();
  const reads = createLearningReads(store.engine, execute);
  const step = rebuildingStep(reads, known);
  const unknown = new Set<string>();
  const rest = createTimeSlicer();
  let events = 0;
  for await (const chunk of getChunks(readInOrder(tables, options.projectId))) {
    const result = await learnStep(chunk, step, memories);
    for (const memory of result.memories) known.set(keyText(memory.key), memory);
    for (const { id } of [...result.unknown, ...(result.open?.events ?? [])]) unknown.add(id);
    events += chunk.length;
    await options.onProgress?.(events);
    // Callers, and the pause's renewal, have their turn.
    await rest();
  }
  const learned = [...known.values()];
  await keepClusters(learned, reads.readStates);
  return { memories: learned, events, waiting, unknown };
}

/**
 * Clusters are learned of prompts, which the records may not have any more, and records name them: those that were
 * known stay.
 */
async function keepClusters(memories: readonly WorkloadModel[], read: LearningStep["readStates"]): Promise<void> {
  const byKey = new Map(memories.map((memory) => [keyText(memory.key), memory]));
  for (const { key, snapshot } of await read(memories.map(({ key }) => key))) {
    const { familySplits: divisions = [] } =
      snapshot === undefined ? {} : (JSON.parse(snapshot) as Partial<MemorySnapshot>);
    for (const { model, ...division } of divisions) {
      if (model !== undefined) byKey.get(keyText(key))?.familySplits.adopt(division, model);
    }
  }
}

/** Creates a step that builds on nothing but what this rebuild has learned. */
function rebuildingStep(
  reads: Omit<LearningStep, "readBatches" | "readVersions" | "readStates" | "readNeighbours" | "write">,
  known: ReadonlyMap<string, WorkloadModel>,
): LearningStep {
  return {
    ...reads,
    readBatches: async () => [],
    readVersions: async (keys) => new Map(keys.map((key) => [keyText(key), 0])),
    readStates: async () => [],
    async readNeighbours(key, most) {
      const others = [...known.values()].filter((memory) => keyText(memory.key) !== keyText(key));
      others.sort((one, other) => other.state.rewards - one.state.rewards);
      return others.slice(0, most).map((memory): StoredState => ({ ...memory, snapshot: memory.toSnapshot() }));
    },
    write: async () => {},
  };
}

/** Parts of so many events; values that were said together stay together. */
async function* getChunks(events: AsyncIterable<LearningEvent>): AsyncGenerator<LearningEvent[]> {
  let chunk: LearningEvent[] = [];
  let latest: LearningEvent | undefined;
  for await (const event of events) {
    if (chunk.length >= EVENTS_AT_ONCE && !isSameEvent(latest, event)) {
      yield chunk;
      chunk = [];
    }
    chunk.push(event);
    if (event.kind === "feedback") latest = event;
  }
  if (chunk.length > 0) yield chunk;
}

function isSameEvent(one: LearningEvent | undefined, other: LearningEvent): boolean {
  if (one?.kind !== "feedback" || other.kind !== "feedback") return false;
  return one.inferenceId === other.inferenceId && one.atMs === other.atMs;
}

/** Reads a database as it is at one moment, however long it takes, and holds up nobody who writes. */
async function atOneMoment<T>(store: Store, databaseUrl: string, read: (tables: Kysely<Tables>) => Promise<T>) {
  if (store.engine === "postgres") {
    return await store.transaction(async (tables) => {
      await statement`set transaction isolation level repeatable read, read only`.execute(tables);
      return await read(tables);
    });
  }
  // A connection of its own: on that of the store, nothing could be written meanwhile.
  const own = await openReadOnly(databaseUrl, store.namesPerProject);
  try {
    await statement`begin`.execute(own.query());
    return await read(own.query());
  } finally {
    await own.close();
  }
}

async function replaceStates(
  { engine }: Store,
  execute: ReturnType<typeof createExecutor>,
  memories: readonly WorkloadModel[],
): Promise<void> {
  for (const { key, state, ...memory } of memories.map((memory) => ({
    key: memory.key,
    state: memory.state,
    snapshot: memory.toSnapshot(),
  }))) {
    await execute(
      sql(
        engine,
        `insert into "workload_state" ("project_id", "model", "version", "updated_at", "rewards", "snapshot")
           values (?, ?, 1, ?, ?, ?) on conflict ("project_id", "model") do update set
             "version" = "workload_state"."version" + 1, "updated_at" = excluded."updated_at",
             "rewards" = excluded."rewards", "snapshot" = excluded."snapshot"`,
      ),
      [key.projectId, key.model, timeIn(engine, Date.now()), state.rewards, memory.snapshot],
    );
    await writeHistory(engine, execute, [{ key, kind: "rebuilt", detail: { rewards: state.rewards } }]);
  }
}

/** Takes out of what waits what the rebuild has learned; what is of other projects stays, and what came later. */
async function settleWaiting(
  { engine }: Store,
  execute: ReturnType<typeof createExecutor>,
  { waiting, unknown }: LearnedAll,
  projectId: string,
): Promise<void> {
  const rows = await execute<{ id: string; events: string }>('select "id", "events" from "learning_batch"', []);
  for (const { id, events } of rows) {
    if (!waiting.has(id)) continue;
    const left = (JSON.parse(events) as LearningEvent[]).filter(
      (event) => event.projectId !== projectId || unknown.has(event.id),
    );
    if (left.length === 0) await execute(sql(engine, 'delete from "learning_batch" where "id" = ?'), [id]);
    else {
      await execute(sql(engine, 'update "learning_batch" set "events" = ?, "size" = ? where "id" = ?'), [
        JSON.stringify(left),
        left.length,
        id,
      ]);
    }
  }
}
