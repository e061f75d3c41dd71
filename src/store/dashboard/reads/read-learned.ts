import { restoreSnapshot, SnapshotError } from "../../../learning/bandit/snapshot.ts";
import type { WorkloadState } from "../../../learning/bandit/workload-state.ts";
import { type ExploringFigures, estimateExploring, findProvenShare } from "../../../learning/learner/exploring.ts";
import {
  describeFamilies,
  describeState,
  type FamilyFigures,
  type WorkloadFigures,
} from "../../../learning/learner/figures.ts";
import { listFindings } from "../../../learning/learner/finding.ts";
import { judgeFigures } from "../../../learning/learner/judge-figures.ts";
import { type LatencyFigures, LatencyMetrics } from "../../../learning/learner/latency-metrics.ts";
import { estimateOutlook } from "../../../learning/learner/outlook.ts";
import { type SelectionFigures, selectionFigures } from "../../../learning/learner/selection-memory.ts";
import type { MemorySnapshot } from "../../../learning/learner/workload-model.ts";
import type { WorkloadKey } from "../../../learning/workload.ts";
import { type Finding, pickFinding } from "../../../vocabulary/finding.ts";
import type { JudgeFigures } from "../../../vocabulary/judge-figures.ts";
import type { Outlook } from "../../../vocabulary/outlook.ts";
import { readWorkload } from "../../learning/workload-reads.ts";
import type { Store } from "../../types/store.ts";

/** The learned state of a workload. */
export interface LearnedSummary {
  readonly model: string;
  readonly version: number;
  readonly updatedAt: Date;
  /** Rewards that were learned from. */
  readonly rewards: number;
  /** Null once it was reset, and where it cannot be read. */
  readonly figures: WorkloadFigures | null;
  /** Part of the requests in whose families another model than base is better for sure. */
  readonly provenShare: number;
  /** Why it cannot be read; null where it can. */
  readonly unreadable: string | null;
}

/** The same with its parts. */
export interface LearnedDetails extends LearnedSummary {
  /** Families that are told apart, and those with the most requests among them. */
  readonly familyCount: number;
  readonly families: readonly FamilyFigures[];
  /** Names of the number metrics that were learned from. */
  readonly metrics: readonly string[];
  /** The learned choice among several answers; null where nothing was learned. */
  readonly selection: SelectionFigures | null;
  /** The latency of several answers beside that of base; empty where none were given. */
  readonly latencies: readonly LatencyFigures[];
  /** The record of the judge of shadow trials; null where nothing was graded. */
  readonly judge: JudgeFigures | null;
  /** The estimated effect of the policy's choices; null where it is not known that they pay. */
  readonly outlook: Outlook | null;
  /**
   * The part of the calls that explores on users, where operators let it, with its price; null where nothing is known.
   */
  readonly exploring: ExploringFigures | null;
  /** The finding on the model that promises most in base's place; null while too little is known. */
  readonly finding: Finding | null;
}

/** A workload in which nothing is changed yet, and the models that may not answer in it. */
interface ObservedWorkload {
  readonly model: string;
  readonly excluded: readonly string[];
}

/** Workloads of a project that are described: no catalog has more models. */
const MOST_DESCRIBED = 200;
const MOST_FAMILIES = 100;

/** Reads what was learned of the workloads of a project, those with the most rewards first. */
export async function readLearnedWorkloads(store: Store, projectId: string): Promise<LearnedSummary[]> {
  const rows = await store
    .query()
    .selectFrom("LearnedState")
    .selectAll()
    .where("projectId", "=", projectId)
    .orderBy("rewards", "desc")
    .limit(MOST_DESCRIBED)
    .execute();
  return rows.map(({ model, version, updatedAt, rewards, snapshot }) => {
    const learned = snapshot == null ? undefined : (JSON.parse(snapshot) as MemorySnapshot);
    return { model, version, updatedAt, rewards, ...summarize(learned) };
  });
}

/** Reads the effect that the mode `on` would have on workloads, as far as it is known that it pays. */
export async function readOutlooks(
  store: Store,
  projectId: string,
  workloads: readonly ObservedWorkload[],
): Promise<{ readonly model: string; readonly outlook: Outlook }[]> {
  const excludedOf = new Map(workloads.map(({ model, excluded }) => [model, excluded]));
  const rows = await store
    .query()
    .selectFrom("LearnedState")
    .select(["model", "snapshot"])
    .where("projectId", "=", projectId)
    .orderBy("rewards", "desc")
    .limit(MOST_DESCRIBED)
    .execute();
  return rows.flatMap(({ model, snapshot }) => {
    const excluded = excludedOf.get(model);
    if (snapshot == null || excluded === undefined) return [];
    const { outlook } = describe(JSON.parse(snapshot) as MemorySnapshot, excluded);
    return outlook === null ? [] : [{ model, outlook }];
  });
}

/** Reads what was learned of a workload; undefined where nothing is known of it. */
export async function readLearnedWorkload(
  store: Store,
  key: WorkloadKey,
  excluded: readonly string[] = [],
): Promise<LearnedDetails | undefined> {
  const found = await readWorkload(store, key);
  if (found === undefined) return undefined;
  const { version, updatedAt, rewards, learned } = found;
  return {
    model: key.model,
    version,
    updatedAt,
    rewards,
    ...describe(learned, excluded),
    familyCount: learned?.policy.families.length ?? 0,
    metrics: Object.keys(learned?.metrics ?? {}),
    selection: (learned?.selection && selectionFigures(learned.selection)) ?? null,
    latencies: new LatencyMetrics(learned?.latencies).figures(key.model),
  };
}

const NOTHING = { judge: null, outlook: null, finding: null, exploring: null };
type Summary = Pick<LearnedSummary, "figures" | "provenShare" | "unreadable">;

const UNKNOWN: Summary = { figures: null, provenShare: 0, unreadable: null };

function summarize(learned: MemorySnapshot | undefined): Summary {
  return read(learned, UNKNOWN, (state) => ({ ...UNKNOWN, ...summaryOf(state) }));
}

const summaryOf = (state: WorkloadState) => ({ figures: describeState(state), provenShare: findProvenShare(state) });

/** Reads a snapshot; one that cannot be read leaves what is unknown, with the reason. */
function read<T extends Summary>(learned: MemorySnapshot | undefined, unknown: T, of: (state: WorkloadState) => T): T {
  if (learned === undefined) return unknown;
  try {
    return of(restoreSnapshot(learned.policy));
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    return { ...unknown, unreadable: error.message };
  }
}

function describe(
  learned: MemorySnapshot | undefined,
  excluded: readonly string[] = [],
): Summary & Pick<LearnedDetails, "families" | keyof typeof NOTHING> {
  return read<ReturnType<typeof describe>>(learned, { ...UNKNOWN, families: [], ...NOTHING }, (state) => ({
    ...summaryOf(state),
    unreadable: null,
    families: describeFamilies(state, MOST_FAMILIES),
    judge: judgeFigures(state),
    outlook: estimateOutlook(state, excluded) ?? null,
    finding: pickFinding(listFindings(state), excluded) ?? null,
    exploring: estimateExploring(state, excluded),
  }));
}
