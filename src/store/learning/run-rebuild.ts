import { LockMode } from "@mikro-orm/core";
import { LearningConflict } from "../../learning/ports.ts";
import { stateByError } from "../../lib/database-state.ts";
import { toOrigin } from "../deletions/to-origin.ts";
import { WorkloadRebuild, type WorkloadRebuildRow } from "../entities/workload-rebuild.ts";
import type { Store } from "../types/store.ts";
import { type LearningPause, withLearningPause } from "./learning-pause.ts";
import { type RebuildOptions, rebuildWorkloads } from "./rebuild-workloads.ts";

/** The parts of a rebuild that are not in the database, as of its beginning. */
export type RebuildSettings = Omit<RebuildOptions, "projectId" | "onProgress" | "onReplaced">;

/** The options of running a rebuild. */
export interface RunRebuildOptions {
  readonly settings: (store: Store) => Promise<RebuildSettings>;
  /** Has the rebuild that runs stop and wait again. */
  readonly signal?: AbortSignal;
  /** True to leave what waits to be learned its time between two rebuilds. */
  readonly rests?: boolean;
  /** Told of a rebuild that failed by a defect. */
  readonly onFailure?: (error: unknown) => void;
}

/** The shortest time that learning has between two rebuilds. */
const LEAST_REST_MS = 2000;
const PROGRESS_MS = 1000;
/** A deleted project has no row any more, a canceled one has ended, and one taken for cut off is another's by now. */
const NOT_MINE = "it was canceled or cut off";
const CUT_OFF = "it was cut off, as its process ended or lost the database: ask for it again";

/**
 * Runs the rebuild that has waited longest. Of all processes of a database one does so at a time. Resolves to false
 * where none waits, another process runs one, or what waits to be learned has its turn first.
 */
export async function runNextRebuild(store: Store, options: RunRebuildOptions): Promise<boolean> {
  const open = await store.fork().count(WorkloadRebuild, { state: { $in: ["waiting", "running"] } });
  if (open === 0 || (options.rests && (await isRest(store)))) return false;
  try {
    return await withLearningPause(store, async (pause) => {
      const row = await takeNext(store);
      if (row === undefined) return false;
      await run(store.as(toOrigin(row)), pause, { row, ...options });
      return true;
    });
  } catch (thrown) {
    if (thrown instanceof LearningConflict) return false;
    throw thrown;
  }
}

/** True while events wait to be learned, for as long as the latest rebuild took. */
async function isRest(store: Store): Promise<boolean> {
  const ended = { endedAt: { $ne: null } };
  const [latest] = await store.fork().find(WorkloadRebuild, ended, { orderBy: { endedAt: "desc" }, limit: 1 });
  if (!latest?.startedAt || !latest.endedAt) return false;
  const [began, end] = [latest.startedAt.getTime(), latest.endedAt.getTime()];
  if (Date.now() >= end + Math.max(end - began, LEAST_REST_MS)) return false;
  const due = store.query().selectFrom("LearningBatch").select("id").where("dueAt", "<=", new Date()).limit(1);
  return (await due.executeTakeFirst()) !== undefined;
}

/** Takes the one that has waited longest. Whoever holds the pause is alone: what runs still was cut off. */
async function takeNext(store: Store): Promise<WorkloadRebuildRow | undefined> {
  return await store.unitOfWork(async (em) => {
    const now = new Date();
    await em.nativeUpdate(WorkloadRebuild, { state: "running" }, { state: "failed", endedAt: now, problem: CUT_OFF });
    const waiting = { state: "waiting" } as const;
    // Nobody cancels it between this and its beginning.
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { requestedAt: "asc" }, limit: 1 } as const;
    const [row] = await em.find(WorkloadRebuild, waiting, locked);
    return row && Object.assign(row, { state: "running", startedAt: now });
  });
}

interface Run extends RunRebuildOptions {
  readonly row: WorkloadRebuildRow;
}

async function run(store: Store, pause: LearningPause, { row, settings, signal, onFailure }: Run): Promise<void> {
  const { projectId, startedAt } = row;
  const mine = { projectId, state: "running", startedAt } as const;
  const note = (changes: Partial<WorkloadRebuildRow>) => store.fork().nativeUpdate(WorkloadRebuild, mine, changes);
  let notedMs = performance.now();
  try {
    await rebuildWorkloads(store, pause, {
      ...(await settings(store)),
      projectId,
      async onProgress(events) {
        signal?.throwIfAborted();
        if (performance.now() - notedMs < PROGRESS_MS) return;
        notedMs = performance.now();
        if ((await note({ events })) === 0) throw new LearningConflict(NOT_MINE);
      },
      async onReplaced(em, result) {
        const done = { ...result, state: "done", endedAt: new Date() } as const;
        if ((await em.nativeUpdate(WorkloadRebuild, mine, done)) === 0) throw new LearningConflict(NOT_MINE);
      },
    });
  } catch (thrown) {
    if (signal?.aborted) await note({ state: "waiting", startedAt: null, events: 0 });
    else await note({ state: "failed", endedAt: new Date(), problem: getProblem(thrown) });
    if (!(thrown instanceof LearningConflict || signal?.aborted)) onFailure?.(thrown);
  }
}

function getProblem(thrown: unknown): string {
  if (thrown instanceof LearningConflict) return `${thrown.message}: ask for it again`;
  if (stateByError(thrown) !== undefined) return "the database could not be reached: ask for it again";
  return "it failed; the log of the service says why";
}
