import { hasRoom, rewardLevel } from "./budget-usage.ts";
import type { Decision } from "./decide.ts";
import { OBJECTIVES } from "./settings.ts";
import type { WorkloadState } from "./workload-state.ts";

/** The part of the learning delay within which decisions count as made together, with the last of them. */
const BUCKET_SHARE = 1 / 8;
/**
 * Parts that are told apart, which more than these are only while the learner is away; what comes then counts as
 * decided with the last.
 */
const MOST_PARTS = 32;
/**
 * Requests that are believed to be rewarded once each before any are counted: requests are learned before what is said
 * of them.
 */
const BELIEVED_REWARDED = 50;
/** The decay, from one state to the next, of the counts that this process's share of the traffic is computed from. */
const KEPT = 0.8;

/** Reward that any decision against base may cost. */
const LEAST_RISK = 0.1;

/** Decisions against base that were made about the same time. */
interface Part {
  readonly sinceMs: number;
  lastMs: number;
  count: number;
  risk: number;
}

/**
 * The reward that a decision may cost, at the worst that has to be reckoned with: what base is expected to earn more,
 * and as much doubt as the account is read with. What nothing is known of risks a whole reward; what is known to be
 * better, a tenth, since it may have changed.
 */
export function estimateRisk(state: WorkloadState, { arm, base, means, doubts }: Decision): number {
  if (arm === base) return 0;
  const ofBase = doubts[base] ?? 0;
  const ofArm = doubts[arm] ?? 0;
  const doubt = OBJECTIVES[state.objective].doubt * Math.sqrt(ofBase * ofBase + ofArm * ofArm);
  return Math.min(1, Math.max(LEAST_RISK, (means[base] ?? 0) - (means[arm] ?? 0) + doubt));
}

/**
 * The decisions of this process against base in a workload that it cannot have learned from yet. They may risk what the
 * budget has room for: fast traffic would else lose many times that on a model that was only just tried, before any of
 * it is known. Other processes are reckoned to decide alike, by their part of the traffic. While nothing is risked one
 * decision is free: slow traffic is learned before the next.
 */
export class PendingDecisions {
  readonly #now: () => number;
  /** The oldest first. */
  #parts: Part[] = [];
  #count = 0;
  #risk = 0;
  #lagMs = 0;
  #room = 0;
  /**
   * Decisions of this process since the last state, and then over several states; the requests that all processes had
   * meanwhile.
   */
  #decided = 0;
  #own = 0;
  #all = 0;
  /** Requests in the last state; undefined before the first. */
  #requests: number | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes note of a state that was read now, which has learned of what was decided `lagMs` ago or before. */
  read(state: WorkloadState, lagMs: number): void {
    this.#lagMs = lagMs;
    this.#forgetLearned();
    const requests = state.countRequests();
    this.#noteTraffic(requests);
    const rewardsEach = (state.rewards + BELIEVED_REWARDED) / (requests + BELIEVED_REWARDED);
    const { loss, budget } = rewardLevel(state);
    // While an account is closed that alone keeps others from answering.
    this.#room = hasRoom(state) ? (this.#shareOfTraffic * (budget - loss)) / rewardsEach : Number.POSITIVE_INFINITY;
  }

  /**
   * The state that was read last is still the latest. Where nothing was decided since, nothing can be on its way for
   * longer than learning takes.
   */
  confirm(): void {
    if (this.#decided === 0 && this.#parts.length > 0) this.#forgetLearned();
  }

  /** Returns whether the account has room for one more decision against base. */
  get hasRoom(): boolean {
    // What one more may cost is in the account's loss already.
    return this.#risk <= this.#room;
  }

  /** Decisions against base that were not learned from. */
  get count(): number {
    return this.#count;
  }

  /** Counts a decision, which may cost so much. */
  note({ arm, base }: Pick<Decision, "arm" | "base">, risk: number): void {
    this.#decided += 1;
    if (arm === base) return;
    const now = this.#now();
    let part = this.#parts.at(-1);
    if (part === undefined || (now - part.sinceMs >= this.#lagMs * BUCKET_SHARE && this.#parts.length < MOST_PARTS)) {
      part = { sinceMs: now, lastMs: now, count: 0, risk: 0 };
      this.#parts.push(part);
    }
    part.lastMs = now;
    part.count += 1;
    part.risk += risk;
    this.#count += 1;
    this.#risk += risk;
  }

  #forgetLearned(): void {
    const learnedMs = this.#now() - this.#lagMs;
    this.#parts = this.#parts.filter(({ lastMs }) => lastMs > learnedMs);
    this.#count = this.#parts.reduce((sum, { count }) => sum + count, 0);
    this.#risk = this.#parts.reduce((sum, { risk }) => sum + risk, 0);
  }

  /** This process's part of the requests, in 0 to 1: all of them until more is known. */
  get #shareOfTraffic(): number {
    return Math.min(1, (this.#own + 1) / (this.#all + 1));
  }

  #noteTraffic(requests: number): void {
    const grown = requests - (this.#requests ?? requests);
    this.#requests = requests;
    const decided = this.#decided;
    this.#decided = 0;
    // After a change of skill the counts of before are believed in part only, and say nothing of what came in between.
    if (grown < 0) return;
    this.#own = KEPT * this.#own + decided;
    this.#all = KEPT * this.#all + grown;
  }
}
