import { type ControlDefaults, ControlTable } from "../../learning/controls.ts";
import { Learner, type LearnerOptions } from "../../learning/learner/learner.ts";
import type { Priors } from "../../learning/learner/priors.ts";
import type { ArmOptions } from "../../learning/learner/state-shape.ts";
import { WorkloadCache } from "../../learning/learner/workload-cache.ts";
import type { WorkloadCachePort } from "../../learning/workload.ts";
import { CHANNELS, type ChangeFeed } from "../changes/change-feed.ts";
import { createRefresher } from "../changes/create-refresher.ts";
import { executorOf } from "../database/executor.ts";
import { type Log, SILENT_LOG } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { readControls } from "./control-store.ts";
import { createLearnerStore } from "./learner-store.ts";
import { createLearningReads } from "./learning-reads.ts";

/** The learning of this process. */
interface Learning {
  readonly cache: WorkloadCachePort;
  /** Returns the largest share of shadow trials that a workload has. */
  mostShadow(): number;
  /** Reads what operators have said, and what was learned, again. */
  refresh(): Promise<void>;
  /** Ends with the step that is under way. The store stays open. */
  close(): Promise<void>;
}

/** The options of learning. */
export interface LearningOptions extends ControlDefaults {
  /** Names of the catalogue's models. */
  readonly models: readonly string[];
  readonly severalOf?: ArmOptions["severalOf"];
  readonly alternativesOf?: ArmOptions["alternativesOf"];
  readonly pricesOf?: ArmOptions["pricesOf"];
  readonly priors: Priors;
  readonly onRewarded?: LearnerOptions["onRewarded"];
  readonly onOutlook?: LearnerOptions["onOutlook"];
  /** The feed of changes between processes on one database; its owner closes it. */
  readonly changes: ChangeFeed;
  readonly log?: Log;
}

/** The interval at which the cache is compared with the database; changes by feedback are notified besides. */
const REFRESH_MS = 500;
/** The interval at which the learner looks for work that nobody notified it of. */
const POLL_MS = 1000;
const POLL_IN_MEMORY_MS = 200;

/** Reads what is known of workloads, keeps it up to date, and learns. Rejects if it cannot be read to begin with. */
export async function openLearning(store: Store, options: LearningOptions): Promise<Learning> {
  const { models, severalOf, alternativesOf, pricesOf, priors, onRewarded, onOutlook } = options;
  const { changes, log = SILENT_LOG } = options;
  const arms = { arms: models, severalOf, alternativesOf, pricesOf };
  const controls = new ControlTable(options);
  const reads = createLearningReads(store.engine, (text, values) => executorOf(store.query())(text, values));
  const cache = new WorkloadCache({ store: reads, controls, ...arms, priors });
  const refresh = async () => {
    controls.replace(await readControls(store));
    await cache.refresh();
  };
  controls.replace(await readControls(store));
  await cache.open();
  const refresher = createRefresher(refresh, {
    log,
    everyMs: REFRESH_MS,
    complaint: "cannot read what was learned of workloads: what was read last holds",
  });
  const learner = new Learner({
    store: createLearnerStore(store),
    ...arms,
    priors,
    log,
    controlsOf: (key) => controls.of(key),
    pollMs: store.location === "memory" ? POLL_IN_MEMORY_MS : POLL_MS,
    onLearned: () => refresher.soon(),
    onRewarded,
    onOutlook,
  });
  learner.start();
  const endings = [
    changes.subscribe(CHANNELS.learning, () => learner.poke()),
    changes.subscribe(CHANNELS.workloads, () => refresher.soon()),
  ];
  return {
    cache: cache,
    mostShadow: () => controls.mostShadow,
    refresh,
    async close() {
      for (const end of endings) end();
      refresher.close();
      await learner.close();
    },
  };
}
