import type { LearnerStore, LearningStep } from "../../learning/ports.ts";
import { type Executor, executorOf, transact } from "../database/executor.ts";
import { WRITE_LIMIT_MS, withStatementLimit } from "../database/statement-limit.ts";
import type { Engine, Store } from "../types/store.ts";
import { createLearningReads } from "./learning-reads.ts";
import { readPrompts } from "./read-prompts.ts";
import { writeLearned } from "./write-learned.ts";

/** Number of the advisory lock, chosen once and for all. */
const LOCK = 4_718_232_001;

/**
 * Creates where learning is kept. On PostgreSQL a step is one transaction, which holds a lock so that the processes do
 * not do the same work twice; on SQLite only the writing is, so that the one connection is free in between. Neither is
 * needed for what is written to be right: that rests on what `writeLearned` checks.
 */
export function createLearnerStore(store: Store): LearnerStore {
  const { engine } = store;
  return {
    readPrompts: (family, most) => withStatementLimit(WRITE_LIMIT_MS, () => readPrompts(store, family, most)),
    step: (work) =>
      withStatementLimit(WRITE_LIMIT_MS, async () => {
        if (engine === "sqlite")
          return await work(stepOn(engine, executorOf(store.query()), (write) => transact(store, write)));
        return await transact(store, async (execute) => {
          const [answer] = await execute<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as "isMine"', [
            LOCK,
          ]);
          if (answer?.isMine !== true) return "busy";
          return await work(stepOn(engine, execute, (write) => write(execute)));
        });
      }),
  };
}

function stepOn(
  engine: Engine,
  execute: Executor,
  writing: (write: (execute: Executor) => Promise<void>) => Promise<void>,
): LearningStep {
  return {
    ...createLearningReads(engine, execute),
    write: (learned) => writing((within) => writeLearned(engine, within, learned)),
  };
}
