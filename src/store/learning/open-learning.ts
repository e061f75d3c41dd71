import { sql } from "kysely";
import { decodeRequest } from "../../hub/request-bytes.ts";
import { wholeFamily } from "../../learning/bandit/cluster-id.ts";
import { type ControlDefaults, ControlTable } from "../../learning/controls.ts";
import { templateId, toTemplate } from "../../learning/families/fingerprint.ts";
import { readPromptText } from "../../learning/families/prompt-text.ts";
import type { Prompt } from "../../learning/learner/known-clusters.ts";
import { Learner, type LearnerOptions } from "../../learning/learner/learner.ts";
import type { Priors } from "../../learning/learner/priors.ts";
import type { ArmOptions } from "../../learning/learner/state-shape.ts";
import { WorkloadCache } from "../../learning/learner/workload-cache.ts";
import type { LearnerStore, LearningStep, WholeFamily } from "../../learning/ports.ts";
import type { WorkloadCachePort } from "../../learning/workload.ts";
import { expandBody } from "../../lib/compress-body.ts";
import { isRedacted } from "../bodies/redact.ts";
import { CHANNELS, type ChangeFeed } from "../changes/change-feed.ts";
import { createRefresher } from "../changes/create-refresher.ts";
import { createExecutor, type Executor, transact } from "../database/executor.ts";
import { WRITE_LIMIT_MS, withStatementLimit } from "../database/statement-limit.ts";
import { type Log, SILENT_LOG } from "../types/log.ts";
import type { Engine, Store } from "../types/store.ts";
import { readControls } from "./control-store.ts";
import { createLearningReads } from "./learning-reads.ts";
import { writeLearned } from "./write-learned.ts";

/** The latest requests of a project among which those of a family are looked for. */
const LOOKED_AT = 20_000;

const PAGE = 1000;

/** Requests that are read at once; and one that is larger, as it is stored, is passed over. */
const BODIES_AT_ONCE = 25;

const MOST_BYTES = 2 ** 18;

/** Number of the advisory lock, chosen once and for all. */
const LOCK = 4_718_232_001;

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
  /** Names of the catalog's models. */
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
  const reads = createLearningReads(store.engine, (text, values) => createExecutor(store.query())(text, values));
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
          return await work(stepOn(engine, createExecutor(store.query()), (write) => transact(store, write)));
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

/**
 * Reads how the conversations of a family's latest requests began, and their templates, the latest first. A project
 * that stores no requests, or stores them redacted, has none.
 */
export async function readPrompts(store: Store, family: WholeFamily, most: number): Promise<Prompt[]> {
  const ids = await readIds(store, family, most);
  const prompts: Prompt[] = [];
  for (let from = 0; from < ids.length; from += BODIES_AT_ONCE) {
    const rows = await store
      .query()
      .selectFrom("InferenceBody")
      .select("request")
      .where("id", "in", ids.slice(from, from + BODIES_AT_ONCE))
      .where(sql<number>`length(request)`, "<=", MOST_BYTES)
      .orderBy("id", "desc")
      .execute();
    for (const { request } of rows) {
      const input = decodeRequest(await expandBody(request));
      if (!isRedacted(input)) prompts.push({ text: readPromptText(input), template: templateId(toTemplate(input)) });
    }
  }
  return prompts;
}

async function readIds(store: Store, { key, family }: WholeFamily, most: number): Promise<string[]> {
  const { projectId, model } = key;
  const ids: string[] = [];
  let before: string | undefined;
  for (let looked = 0; looked < LOOKED_AT && ids.length < most; looked += PAGE) {
    const all = store.query().selectFrom("Inference").select(["id", "model", "family"]);
    const own = all.where("projectId", "=", projectId).orderBy("id", "desc").limit(PAGE);
    const rows = await (before === undefined ? own : own.where("id", "<", before)).execute();
    for (const row of rows) if (row.model === model && wholeFamily(row.family) === family) ids.push(row.id);
    before = rows.at(-1)?.id;
    if (rows.length < PAGE) break;
  }
  return ids.slice(0, most);
}
