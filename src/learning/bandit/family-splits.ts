import { clusterId, type FamilyPart, readPart } from "./cluster-id.ts";
import { ClusterTrial, type Grade, type Reward, type TrialSnapshot } from "./cluster-trial.ts";
import { meanReward, settleLevel, UNSEEN } from "./estimates.ts";
import { PromptClusters } from "./prompt-clusters.ts";
import { TemplateClusters } from "./template-clusters.ts";
import { updateRegret } from "./update-regret.ts";
import type { WorkloadState } from "./workload-state.ts";

/** Families of a workload that may be divided: each takes some 14 KB of the state that is stored. */
const MOST_DIVISIONS = 4;

/** A family whose prompts are told apart by clusters. */
export interface Division {
  readonly whole: string;
  readonly generation: number;
  /** Trials of the family so far. */
  readonly tries: number;
  /** True if clusters are families of their own, or not any more looked at, or still tried. */
  readonly outcome: "open" | "won" | "lost";
  /** Rewards and grades of the family when that was decided. */
  readonly rewards: number;
  /**
   * The clusters, as `PromptClusters` or `TemplateClusters` writes them; absent where they are not known, or not looked
   * at.
   */
  readonly model?: string;
}

/** A division as plain JSON. */
export interface DivisionSnapshot extends Division {
  /** Absent once it is decided. */
  readonly trial?: TrialSnapshot;
}

/** The clusters of a family were found to predict feedback better than the family does, or not to. */
interface DivisionChange {
  readonly family: string;
  readonly outcome: "won" | "lost";
  /** Clusters that were seen. */
  readonly clusters: number;
  /** Rewards and grades that this rests on. */
  readonly rewards: number;
}

interface Entry {
  readonly division: Division;
  readonly trial: ClusterTrial | undefined;
}

/**
 * The families of a workload that are split into clusters, and those on trial. Requests have the cluster in the name of
 * their family on record, also during the trial: so whoever reads the records finds the same, without their prompts.
 */
export class FamilySplits {
  readonly #state: WorkloadState;
  readonly #entries = new Map<string, Entry>();

  constructor(state: WorkloadState, snapshots: readonly DivisionSnapshot[] = []) {
    this.#state = state;
    for (const { trial, model, ...division } of snapshots.slice(0, MOST_DIVISIONS)) {
      const isKnown = model !== undefined && [PromptClusters, TemplateClusters].some((kind) => kind.isReadable(model));
      this.#entries.set(division.whole, {
        division: { ...division, ...(isKnown && { model }) },
        trial: trial && ClusterTrial.restore(trial, division.tries),
      });
    }
  }

  toSnapshot(): DivisionSnapshot[] {
    return [...this.#entries.values()].map(({ division, trial }) => ({
      ...division,
      ...(trial && { trial: trial.toSnapshot() }),
    }));
  }

  /**
   * Returns whether a family may get clusters: it has some that cannot be found for a prompt, or there is room for
   * more.
   */
  mayDivide(whole: string): boolean {
    return this.#entries.has(whole) || this.#entries.size < MOST_DIVISIONS;
  }

  /** All that there are. */
  *[Symbol.iterator](): Generator<Division> {
    for (const { division } of this.#entries.values()) yield division;
  }

  find(whole: string): Division | undefined {
    return this.#entries.get(whole)?.division;
  }

  /** Returns the family that is learned of and decided by: the cluster where that has won, else the whole. */
  familyOf(name: string): string {
    const part = readPart(name);
    if (part === undefined) return name;
    const { outcome, generation } = this.find(part.whole) ?? {};
    return outcome === "won" && generation === part.generation ? name : part.whole;
  }

  /**
   * Takes on clusters that were learned. They are tried, unless they are those that are tried or were decided on
   * already.
   */
  adopt({ whole, generation }: Pick<Division, "whole" | "generation">, model: string): void {
    const known = this.#entries.get(whole);
    if (known === undefined || known.division.generation < generation) this.#begin(whole, generation);
    const entry = this.#entries.get(whole);
    if (entry?.division.generation !== generation || entry.division.outcome === "lost") return;
    this.#entries.set(whole, { ...entry, division: { ...entry.division, model } });
  }

  /** Forgets the clusters of a family. */
  forget(whole: string): void {
    this.#entries.delete(whole);
  }

  /** Takes note of a request, under the name that it has on record. */
  served(name: string, arm: number): void {
    const part = readPart(name);
    if (part !== undefined) this.#trialOf(part)?.served(String(part.cluster), arm);
  }

  /** Takes note of a reward, before the workload learns it. Returns what that decided. */
  rewarded(name: string, reward: Reward): DivisionChange | undefined {
    const part = readPart(name);
    const trial = part && this.#trialOf(part);
    if (part === undefined || trial === undefined) return undefined;
    const family = this.#state.families.find(part.whole) ?? UNSEEN;
    trial.rewarded(String(part.cluster), reward, meanReward(this.#state, family, reward.arm));
    return this.#decide(part, trial);
  }

  /** Takes note of a grade, before the workload learns it, as of a reward; of none of a judge that is not proven. */
  graded(name: string, grade: Grade): DivisionChange | undefined {
    const part = readPart(name);
    const trial = part && this.#trialOf(part);
    if (part === undefined || trial === undefined || this.#state.evidence.gradeWeight === 0) return undefined;
    trial.graded(String(part.cluster), grade, shareOfGood(this.#state, part.whole, grade.arm));
    return this.#decide(part, trial);
  }

  /** Ends a trial that is decided; undefined for one that is not. */
  #decide(part: FamilyPart, trial: ClusterTrial): DivisionChange | undefined {
    const { outcome } = trial;
    if (outcome === "open") return undefined;
    const { whole, generation } = part;
    const { tries = 1, model } = this.find(whole) ?? {};
    const isUsed = outcome === "won" && model !== undefined;
    const rewards = evidenceIn(this.#state, whole);
    const division = { whole, generation, tries, outcome, rewards, ...(isUsed && { model }) };
    this.#entries.set(whole, { division, trial: undefined });
    if (outcome === "won") divide(this.#state, trial.state, part);
    const clusters = trial.state.families.size - 1;
    return { family: whole, outcome, clusters, rewards: Math.round(trial.events) };
  }

  #trialOf({ whole, generation }: FamilyPart): ClusterTrial | undefined {
    const known = this.#entries.get(whole);
    // A record of clusters that nothing is known of here, as in a rebuild, begins their trial.
    if (known === undefined || known.division.generation < generation) this.#begin(whole, generation);
    const entry = this.#entries.get(whole);
    return entry?.division.generation === generation ? entry.trial : undefined;
  }

  /** Begins to try clusters; what was tried or decided of earlier ones is given up. */
  #begin(whole: string, generation: number): void {
    if (!this.mayDivide(whole)) return;
    const { arms, base } = this.#state;
    const tries = (this.find(whole)?.tries ?? 0) + 1;
    const trial = ClusterTrial.begin(arms, arms[base] ?? "", tries);
    this.#entries.set(whole, { division: { whole, generation, tries, outcome: "open", rewards: 0 }, trial });
  }
}

/** Returns the rewards of a family as far as they are not forgotten, and a proven judge's grades. */
export function evidenceIn(state: WorkloadState, name: string): number {
  const family = state.families.find(name);
  if (family === undefined) return 0;
  const arms = state.arms.length;
  const sumOf = (values: Float64Array) =>
    values.subarray(family * arms, (family + 1) * arms).reduce((sum, count) => sum + count, 0);
  return sumOf(state.counts) + (state.evidence.gradeWeight === 0 ? 0 : sumOf(state.grades.counts));
}

/** Returns the share of good grades that is expected of an arm in a family. */
function shareOfGood({ families, grades, arms }: WorkloadState, name: string, arm: number): number {
  const family = families.find(name);
  const cell = (family ?? 0) * arms.length + arm;
  const [count, good] = family === undefined ? [0, 0] : [grades.counts[cell] ?? 0, grades.goods[cell] ?? 0];
  return (good + 1) / (count + 2);
}

/**
 * Makes clusters families of their own. Each begins with what was learned in it during the trial, and with its part of
 * what was learned of the family before there were clusters, so that no reward counts more than once in all of them;
 * the requests of the trial are theirs from then on. The family's account stays what it is.
 */
function divide(state: WorkloadState, tried: WorkloadState, { whole, generation }: FamilyPart): void {
  const arms = state.arms.length;
  const family = state.families.find(whole);
  const clusters = [...tried.families.entries()];
  const requests = clusters.reduce((sum, [, cluster]) => sum + (tried.requests[cluster] ?? 0), 0);
  const restOf = (values: "counts" | "sums", arm: number): number => {
    const all = family === undefined ? 0 : (state[values][family * arms + arm] ?? 0);
    return Math.max(
      0,
      all - clusters.reduce((sum, [, cluster]) => sum + (tried[values][cluster * arms + arm] ?? 0), 0),
    );
  };
  const rest = state.arms.map((_, arm) => {
    const count = restOf("counts", arm);
    return { count, sum: Math.min(count, restOf("sums", arm)) };
  });
  if (family !== undefined) state.requests[family] = Math.max(0, (state.requests[family] ?? 0) - requests);
  const shares = clusters.map(([, from]) =>
    requests > 0 ? (tried.requests[from] ?? 0) / requests : 1 / clusters.length,
  );
  const numbers = clusters.map(([cluster]) =>
    state.seeFamily(clusterId({ whole, generation, cluster: Number(cluster) })),
  );
  for (const [at, [, from]] of clusters.entries()) {
    const [to, share] = [numbers[at] ?? 0, shares[at] ?? 0];
    for (const [arm, { count, sum }] of rest.entries()) {
      state.counts[to * arms + arm] = (tried.counts[from * arms + arm] ?? 0) + share * count;
      state.sums[to * arms + arm] = (tried.sums[from * arms + arm] ?? 0) + share * sum;
    }
    state.requests[to] = tried.requests[from] ?? 0;
    state.errors.copy(to, tried.errors, from);
    settleLevel(state, to);
    updateRegret(state, to);
  }
  const parts = clusters.map(([, from], at) => ({ from, to: numbers[at] ?? 0, share: shares[at] ?? 0 }));
  if (family !== undefined) state.grades.divide(family, tried.grades, parts);
}
