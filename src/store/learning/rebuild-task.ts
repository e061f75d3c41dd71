import { stateByError } from "../../lib/database-state.ts";
import { RepeatedTask } from "../../lib/tasks/repeated-task.ts";
import type { Log } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { type RebuildSettings, runNextRebuild } from "./run-rebuild.ts";

const POLL_MS = 1000;

/**
 * Runs the rebuilds that people ask for. Each process of a database looks for them; one of them runs one at a time. A
 * rebuild that runs when the task is closed waits again, for another process.
 */
export function createRebuildTask(
  store: Store,
  log: Log,
  settings: (store: Store) => Promise<RebuildSettings>,
): RepeatedTask {
  // A database that is away is told of by whoever watches it.
  const onFailure = (error: unknown): void => {
    if (task.signal.aborted || stateByError(error) !== undefined) return;
    log.error({ err: error }, "a rebuild of learned state has failed");
  };
  const task = new RepeatedTask(POLL_MS, async () => {
    const { signal } = task;
    try {
      while (!signal.aborted && (await runNextRebuild(store, { settings, signal, rests: true, onFailure })));
    } catch (error) {
      onFailure(error);
    }
  });
  return task;
}
