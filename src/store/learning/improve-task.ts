import { improve } from "../../learning/improve/improve.ts";
import type { Improvement, ImprovePorts } from "../../learning/improve/ports.ts";
import { stateByError } from "../../lib/database-state.ts";
import { newId } from "../../lib/ids.ts";
import { RepeatedTask } from "../../lib/tasks/repeated-task.ts";
import type { Log } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { createImproveStore } from "./improve-store.ts";
import { beatImprovement, endImprovement, takeImprovement } from "./improvements.ts";

const POLL_MS = 1000;
const BEAT_MS = 5000;

/**
 * Makes the improvements that people ask for, one at a time in a process. Each process of a database looks for them.
 * One that runs when the task is closed waits again, for another process; one whose process dies is taken over.
 */
export function createImproveTask(store: Store, log: Log, ports: () => Omit<ImprovePorts, "store">): RepeatedTask {
  // A database that is away is told of by whoever watches it.
  const onFailure = (error: unknown): void => {
    if (task.signal.aborted || stateByError(error) !== undefined) return;
    log.error({ err: error }, "an improvement of a workload has failed");
  };
  const task = new RepeatedTask(POLL_MS, async () => {
    try {
      const holder = newId();
      const taken = await takeImprovement(store, holder);
      if (taken !== undefined) {
        await run(store, taken, {
          holder,
          signal: task.signal,
          onFailure,
          ports: { ...ports(), store: createImproveStore(store) },
        });
      }
    } catch (error) {
      onFailure(error);
    }
  });
  return task;
}

interface Run {
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly ports: ImprovePorts;
  readonly onFailure: (error: unknown) => void;
}

/** Runs one until its end. Where that fails it is left as it is, and taken up again after a while. */
async function run(store: Store, improvement: Improvement, { holder, signal, ports, onFailure }: Run): Promise<void> {
  const { id } = improvement;
  const lost = new AbortController();
  const beat = setInterval(() => {
    beatImprovement(store, id, holder).then((goesOn) => goesOn || lost.abort(), onFailure);
  }, BEAT_MS);
  try {
    const ended = await improve(ports, improvement, AbortSignal.any([signal, lost.signal]));
    await endImprovement(store, { id, holder }, ended);
  } finally {
    clearInterval(beat);
  }
}
