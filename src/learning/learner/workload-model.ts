import type { Outlook } from "../../vocabulary/outlook.ts";
import { everyArm } from "../bandit/best-of-n-estimates.ts";
import { mayDeviate } from "../bandit/budget-usage.ts";
import { AUTO, wholeFamily } from "../bandit/cluster-id.ts";
import { Decision, decide } from "../bandit/decide.ts";
import { type DivisionSnapshot, evidenceIn, FamilySplits } from "../bandit/family-splits.ts";
import { forgetFamilies } from "../bandit/forget-families.ts";
import { checkVersion, restoreSnapshot, takeSnapshot, type WorkloadSnapshot } from "../bandit/snapshot.ts";
import { WorkloadState } from "../bandit/workload-state.ts";
import { knownFamily } from "../families/prompt-families.ts";
import type { WorkloadControls, WorkloadKey } from "../workload.ts";
import { adaptSnapshot, type StateShape } from "./adapt-snapshot.ts";
import type { Delay } from "./delay.ts";
import { FamilyDays, type FamilyDaysSnapshot } from "./family-days.ts";
import { type LatenciesSnapshot, LatencyMetrics } from "./latency-metrics.ts";
import { indexRules, type MetricRules } from "./metric-settings.ts";
import { Metrics, type MetricsSnapshot } from "./metrics.ts";
import { estimateOutlook } from "./outlook.ts";
import type { Priors } from "./priors.ts";
import { Quantiles, type QuantilesSnapshot } from "./quantiles.ts";
import { SelectionMemory, type SelectionSnapshot } from "./selection-memory.ts";
import { Voices, type VoicesSnapshot } from "./voices.ts";

/** Rewards from which on a family is big: who is best there is worth a line in the history. */
const BIG_FAMILY = 20;

/**
 * Rewards and grades from which on a family is looked at for clusters, and again once it has twice as many as when it
 * had lost with some.
 */
const LEAST_TO_DIVIDE = 200;

/** The stored state of a workload. */
export interface MemorySnapshot extends MetricsSnapshot {
  readonly format: 1;
  readonly policy: WorkloadSnapshot;
  /** The latency of base. */
  readonly latency: QuantilesSnapshot;
  /** The best model of each big family. */
  readonly best: readonly (readonly [family: string, model: string])[];
  /** Families whose prompts are told apart by clusters; absent where there are none. */
  readonly familySplits?: readonly DivisionSnapshot[];
  /** The priors at the beginning: each model's advantage over base. */
  readonly priors: Priors;
  /** The learned choice among candidates; absent where nothing was learned. */
  readonly selection?: SelectionSnapshot;
  /** The latency of several answers beside that of base; absent where none may be asked for. */
  readonly latencies?: LatenciesSnapshot;
  /** The delay until a decision's feedback is learned; absent while it is not known. */
  readonly delay?: Delay;
  /** The age of the last learned answer when it was learned, in milliseconds; absent while it is not known. */
  readonly behindMs?: number;
  /** The weights of raters' votes; absent where nobody has voted. */
  readonly voices?: VoicesSnapshot;
  /** True once people were told what the mode `on` would do. */
  readonly isOutlookTold?: boolean;
  /** The days on which families were called; absent before the first call. */
  readonly familyDays?: FamilyDaysSnapshot;
}

/** A model took the place of another one as the best of a family. */
interface BestChange {
  readonly family: string;
  readonly from: string;
  readonly to: string;
  /** The evidence: the worth of each there, its standard deviation, and all rewards of the family. */
  readonly worths: readonly [from: number | null, to: number];
  readonly doubts: readonly [from: number | null, to: number];
  readonly rewards: number;
}

/** The learner's model of a workload: the policy's state, and the scales that turn values of metrics into rewards. */
export class WorkloadModel {
  readonly key: WorkloadKey;
  readonly state: WorkloadState;
  readonly latency: Quantiles;
  readonly metrics: Metrics;
  readonly voices: Voices;
  readonly familySplits: FamilySplits;
  /** The learned choice among candidates; undefined where nothing was learned. */
  selection: SelectionMemory | undefined;
  /** The latency of several answers beside that of base. */
  readonly latencies: LatencyMetrics;
  /** The delay until a decision's feedback is learned; undefined while it is not known. */
  delay: Delay | undefined;
  /** The age of the last learned answer when it was learned, in milliseconds; undefined while it is not known. */
  behindMs: number | undefined;
  /** The current settings of its metrics. */
  rules: MetricRules = indexRules([]);
  /** Models that never answer in place of base. */
  excluded: readonly string[] = [];
  mode: WorkloadControls["mode"] = "on";
  /** True once people were told what the mode `on` would do. */
  isOutlookTold: boolean;
  /** Version in the database; 0 if it has none. */
  version: number;
  /** When the last point of its course was taken, in milliseconds since 1970. */
  pointAtMs = Number.NEGATIVE_INFINITY;
  readonly #familyDays: FamilyDays;
  readonly #arms: ReadonlyMap<string, number>;
  readonly #best: Map<string, string>;
  readonly #decision: Decision;
  readonly #priors: Priors;
  readonly #undivided = new Set<string>();

  private constructor(
    key: WorkloadKey,
    state: WorkloadState,
    {
      latency,
      best,
      priors,
      version,
      familySplits: divisions = [],
      selection,
      latencies,
      delay,
      behindMs,
      isOutlookTold = false,
      familyDays,
      voices,
      ...metrics
    }: Partial<MemorySnapshot> & { readonly version: number },
  ) {
    this.key = key;
    this.state = state;
    this.version = version;
    // Base answers seldom, and is to be known as it is now.
    this.latency = new Quantiles(latency, 200);
    this.metrics = new Metrics(metrics);
    this.voices = new Voices(voices);
    this.familySplits = new FamilySplits(
      state,
      divisions.map((division) => fitted(division, state)),
    );
    this.selection = selection && SelectionMemory.restore(selection);
    this.latencies = new LatencyMetrics(latencies);
    this.delay = delay;
    this.behindMs = behindMs;
    this.isOutlookTold = isOutlookTold;
    this.#familyDays = new FamilyDays(familyDays);
    this.noteAccuracy();
    this.#best = new Map(best);
    this.#priors = priors ?? {};
    this.#arms = new Map(state.arms.map((name, index) => [name, index]));
    this.#decision = new Decision(state.arms.length);
  }

  /** Begins with nothing but beliefs. */
  static begin(key: WorkloadKey, shape: StateShape, priors: Priors, version = 0): WorkloadModel {
    return new WorkloadModel(key, new WorkloadState({ ...shape, priors }), { priors, version });
  }

  /** Goes on from what is stored. Throws a SnapshotError if that cannot be read. */
  static restore(key: WorkloadKey, shape: StateShape, stored: { snapshot: string; version: number }): WorkloadModel {
    const snapshot = JSON.parse(stored.snapshot) as MemorySnapshot;
    checkVersion(snapshot.policy);
    const state = restoreSnapshot(adaptSnapshot(snapshot.policy, shape));
    return new WorkloadModel(key, state, { ...snapshot, version: stored.version });
  }

  toSnapshot(): string {
    for (const family of this.#best.keys()) {
      if (this.state.families.find(family) === undefined) this.#best.delete(family);
    }
    const splits = this.familySplits.toSnapshot();
    const snapshot: MemorySnapshot = {
      format: 1,
      policy: takeSnapshot(this.state),
      ...this.metrics.toSnapshot(),
      ...(this.voices.hasVotes && { voices: this.voices.toSnapshot() }),
      latency: this.latency.toSnapshot(),
      best: [...this.#best],
      priors: this.#priors,
      ...(splits.length > 0 && { familySplits: splits }),
      ...(this.selection !== undefined && { selection: this.selection.toSnapshot() }),
      ...(this.state.hasSeveral && { latencies: this.latencies.toSnapshot() }),
      ...(this.delay !== undefined && { delay: this.delay }),
      ...(this.behindMs !== undefined && { behindMs: this.behindMs }),
      ...(this.isOutlookTold && { isOutlookTold: true }),
      ...(this.state.families.size > 1 && { familyDays: this.#familyDays.toSnapshot(this.#familyNames()) }),
    };
    return JSON.stringify(snapshot);
  }

  /** Position of a model among the arms; undefined if it is none of them. */
  armOf(model: string): number | undefined {
    return this.#arms.get(model);
  }

  /**
   * Returns the family that is learned of under a name on record. A process that had not read the workload yet has
   * named a family without knowing the others.
   */
  familyOf(name: string): string {
    return this.familySplits.familyOf(knownFamily(name, this.state.families));
  }

  /** Takes note of a call of a family, and on the first call of a day forgets the families that have ended. */
  noteCall(family: string, atMs: number): void {
    if (!this.#familyDays.note(family, atMs)) return;
    const ended = this.#familyDays.endedAmong(this.#familyNames());
    if (ended.length === 0) return;
    forgetFamilies(this.state, ended);
    for (const name of ended) this.familySplits.forget(wholeFamily(name));
  }

  #familyNames(): readonly string[] {
    return [...this.state.families.entries()].map(([name]) => name);
  }

  /** Takes note that something was learned of a family, under the name that it has on record. */
  noteFamily(name: string): void {
    const whole = wholeFamily(name);
    if (whole.startsWith(AUTO) && this.wantsClusters(whole)) this.#undivided.add(whole);
  }

  /** Returns families that clusters are to be found for, and forgets them. */
  takeUndivided(): readonly string[] {
    const families = [...this.#undivided];
    this.#undivided.clear();
    return families;
  }

  /**
   * Returns whether clusters are to be found for a family: it has feedback and grades enough, and none that prompts
   * could be told apart by.
   */
  wantsClusters(whole: string): boolean {
    const rewards = evidenceIn(this.state, whole);
    if (rewards < LEAST_TO_DIVIDE || !this.familySplits.mayDivide(whole)) return false;
    const { outcome, model, rewards: before = 0 } = this.familySplits.find(whole) ?? {};
    return outcome === "lost" ? rewards >= 2 * before : model === undefined;
  }

  /**
   * Has the policy know how well the best of several answers is chosen by now; a selector that has not proved itself
   * chooses nothing.
   */
  noteAccuracy(): void {
    const { state, selection } = this;
    if (!state.hasSeveral) return;
    const isProven = selection?.selector.isProven === true;
    state.accuracy = isProven ? selection.selector.accuracy.low : state.settings.severalAccuracy;
  }

  get hasRoom(): boolean {
    return mayDeviate(this.state);
  }

  /** Returns what the mode `on` would do, once, where that is known of a workload that is only observed. */
  takeOutlook(): Outlook | undefined {
    if (this.mode !== "observe" || this.isOutlookTold) return undefined;
    const outlook = estimateOutlook(this.state, this.excluded);
    this.isOutlookTold = outlook !== undefined;
    return outlook;
  }

  /**
   * Looks who is best in a family now; returns the change, where that is another one than before in a big family, and
   * one of the models that were `served` there: nobody was switched to another one.
   */
  judge(family: string, served: ReadonlySet<string>): BestChange | undefined {
    const { state } = this;
    const number = state.families.find(family);
    const rewards = number === undefined ? 0 : this.#rewardsIn(number);
    if (number === undefined || rewards < BIG_FAMILY) return undefined;
    // Whoever the estimates favour, whether or not the account has room for it just now.
    const eligible = everyArm(state).map((may, arm) => (this.excluded.includes(state.arms[arm] ?? "") ? 0 : may));
    const decision = decide(state, { family: number, eligible, seed: 0 }, this.#decision);
    if (!decision.hasRoom) return undefined;
    const to = state.arms[decision.best] ?? "";
    if (!served.has(to)) return undefined;
    const from = this.#best.get(family) ?? state.arms[decision.base] ?? "";
    this.#best.set(family, to);
    if (from === to) return undefined;
    // The one before may have left the catalog.
    const before = this.#arms.get(from);
    const figure = (values: Float64Array, arm: number | undefined) =>
      (arm === undefined ? undefined : values[arm]) ?? null;
    const both = (values: Float64Array) => [figure(values, before), values[decision.best] ?? 0] as const;
    return { family, from, to, worths: both(decision.worths), doubts: both(decision.doubts), rewards };
  }

  #rewardsIn(family: number): number {
    const arms = this.state.arms.length;
    let rewards = 0;
    for (let arm = 0; arm < arms; arm++) rewards += this.state.counts[family * arms + arm] ?? 0;
    return rewards;
  }
}

/** Fits what is tried to the models of today. */
function fitted(division: DivisionSnapshot, { arms, base }: WorkloadState): DivisionSnapshot {
  const { trial } = division;
  if (trial === undefined) return division;
  const shape = { arms, base: arms[base] ?? "", objective: "quality", feedback: "complete", guarded: [] } as const;
  return { ...division, trial: { ...trial, policy: adaptSnapshot(trial.policy, shape) } };
}
