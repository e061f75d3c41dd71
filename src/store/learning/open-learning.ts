import { Book } from "../../learning/book.ts";
import { ControlTable } from "../../learning/controls.ts";
import { Learner } from "../../learning/learner.ts";
import type { Priors } from "../../learning/priors.ts";
import type { WorkloadBook, WorkloadControls } from "../../learning/workload.ts";
import { CHANNELS, type ChangeFeed } from "../changes/change-feed.ts";
import { executorOf } from "../database/executor.ts";
import { type Log, SILENT_LOG } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { readControls } from "./control-store.ts";
import { createLearnerStore } from "./learner-store.ts";
import { createLearningReads } from "./learning-reads.ts";

/** What is learned of workloads, and by this process too. */
export interface Learning {
  readonly book: WorkloadBook;
  /** Reads what operators have said, and what was learned, again. */
  refresh(): Promise<void>;
  /** Ends with the step that is under way. The store stays open. */
  close(): Promise<void>;
}

/** How is learned. */
export interface LearningOptions {
  /** Names of the catalogue's models. */
  readonly models: readonly string[];
  /** What holds for workloads of which nobody has said anything. */
  readonly mode: WorkloadControls["mode"];
  readonly priors: Priors;
  /** How processes on one PostgreSQL hear of each other; it stays open. */
  readonly changes: ChangeFeed;
  readonly log?: Log;
}

/** How often the book is compared with the database; on PostgreSQL this process is told besides. */
const REFRESH_MS = 500;
/** What is told within this time is read once. */
const COLLECT_MS = 50;
/** How often the learner looks for work: nobody tells it on SQLite. */
const POLL_MS = { sqlite: 200, postgres: 1000 } as const;
const COMPLAINT_PERIOD_MS = 60_000;

/** Reads what is known of workloads, keeps it up to date, and learns. Rejects if it cannot be read to begin with. */
export async function openLearning(store: Store, options: LearningOptions): Promise<Learning> {
  const { models: arms, mode, priors, changes, log = SILENT_LOG } = options;
  const controls = new ControlTable(mode);
  const reads = createLearningReads(store.engine, (text, values) => executorOf(store.query())(text, values));
  const book = new Book({ store: reads, controls, arms, priors });
  const refresh = async () => {
    controls.replace(await readControls(store));
    await book.refresh();
  };
  controls.replace(await readControls(store));
  await book.open();
  const refresher = createRefresher(refresh, log);
  const learner = new Learner({
    ...{ store: createLearnerStore(store), arms, priors, log },
    controlsOf: (key) => controls.of(key),
    pollMs: POLL_MS[store.engine],
    onLearned: () => refresher.soon(),
  });
  learner.start();
  const endings = [
    changes.subscribe(CHANNELS.learning, () => learner.poke()),
    changes.subscribe(CHANNELS.workloads, () => refresher.soon()),
  ];
  return {
    book,
    refresh,
    async close() {
      for (const end of endings) end();
      refresher.close();
      await learner.close();
    },
  };
}

/** Refreshes from time to time, and soon where that is asked for; one refresh at a time. */
function createRefresher(refresh: () => Promise<void>, log: Log) {
  let isClosed = false;
  let isRunning = false;
  let isAsked = false;
  let complainedAt = Number.NEGATIVE_INFINITY;
  let soon: NodeJS.Timeout | undefined;
  const run = async () => {
    if (isRunning || isClosed) return;
    isRunning = true;
    isAsked = false;
    try {
      await refresh();
    } catch (error) {
      if (performance.now() - complainedAt > COMPLAINT_PERIOD_MS && !isClosed) {
        complainedAt = performance.now();
        log.warn({ err: error }, "cannot read what was learned of workloads: what was read last holds");
      }
    } finally {
      isRunning = false;
      if (isAsked) ask();
    }
  };
  const ask = () => {
    isAsked = true;
    if (soon !== undefined || isRunning || isClosed) return;
    soon = setTimeout(() => {
      soon = undefined;
      void run();
    }, COLLECT_MS).unref();
  };
  const timer = setInterval(() => void run(), REFRESH_MS).unref();
  return {
    soon: ask,
    close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(soon);
    },
  };
}
