import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { estimateRisk, PendingDecisions } from "../../../src/learning/bandit/pending-decisions.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { allowedRegret } from "../../../src/learning/bandit/settings.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { learnedWithinMs } from "../../../src/learning/learner/delay.ts";

export interface FastTrafficOptions {
  /** By family: how often base and each other is right. */
  readonly skills: Readonly<Record<string, readonly number[]>>;
  /** Requests that are decided on each state, and states until one has learned of them. */
  readonly perState: number;
  readonly lagStates: number;
  readonly seed: number;
  /** Whether what is not learned yet is bounded. */
  readonly isBounded: boolean;
  /**
   * States in which the learner is away at first, and of how many it then learns in the time of one, until it has
   * caught up.
   */
  readonly away?: { readonly states: number; readonly atOnce: number; readonly hasNews: boolean };
}

const STATE_MS = 100;
/** What learnedWithinMs() adds to a delay that does not vary. */
const READ_MS = learnedWithinMs({ meanMs: 0, deviationMs: 0 });

/** A workload whose requests come faster than they are learned of; all are rewarded. */
export class FastTraffic {
  readonly state: WorkloadState;
  /** What others than base have lost, by what all are worth. */
  lost = 0;
  /** Whether a change of skill was found, of which there is none: the account has begun anew then. */
  isAlarmed = false;
  readonly #options: FastTrafficOptions;
  readonly #random: SeededRandom;
  readonly #decision: Decision;
  readonly #eligible: Uint8Array;
  readonly #pendingDecisions: PendingDecisions;
  readonly #flying: { readonly family: string; readonly arm: number }[][] = [];
  #nowMs = 0;

  constructor(options: FastTrafficOptions) {
    const arms = ["base", "one", "other"];
    this.#options = options;
    this.state = new WorkloadState({ arms, base: "base", feedback: "complete" });
    this.#random = new SeededRandom(options.seed);
    this.#decision = new Decision(arms.length);
    this.#eligible = new Uint8Array(arms.length).fill(1);
    this.#pendingDecisions = new PendingDecisions(() => this.#nowMs);
    // Before the first feedback only base answers, and nothing can be lost.
    for (const family of Object.keys(options.skills)) this.#learn(family, this.state.base);
  }

  /** What was lost above what may be lost by the rewards that are known. */
  get beyondBudget(): number {
    return this.lost - allowedRegret(this.state.rewards);
  }

  /** Decides on the state that is known, and learns what is due. Returns how many others than base answered. */
  step(): number {
    const { skills, perState } = this.#options;
    this.#nowMs += STATE_MS;
    const families = Object.keys(skills);
    const served = Array.from({ length: perState }, (_, at) => this.#serve(families[at % families.length] ?? ""));
    this.#flying.push(served);
    this.#learnDue();
    return served.filter(({ arm }) => arm !== 0).length;
  }

  #learnDue(): void {
    const { lagStates, away = { states: 0, atOnce: 1, hasNews: true } } = this.#options;
    if (this.#nowMs <= away.states * STATE_MS || this.#flying.length <= lagStates) return;
    for (let learned = 0; learned < away.atOnce && this.#flying.length > lagStates; learned++) {
      for (const { family, arm } of this.#flying.shift() ?? []) this.#learn(family, arm);
    }
    const delay = { meanMs: lagStates * STATE_MS - READ_MS, deviationMs: 0 };
    const behindMs = away.hasNews ? (this.#flying.length - lagStates) * STATE_MS : 0;
    this.#pendingDecisions.read(this.state, learnedWithinMs(delay, behindMs));
  }

  #serve(family: string) {
    const { state } = this;
    const isRisked = this.#options.isBounded && !this.#pendingDecisions.hasRoom;
    const number = state.families.find(family) ?? -1;
    const asked = { family: number, eligible: this.#eligible, seed: this.#random.bits(), isRisked };
    const decision = decide(state, asked, this.#decision);
    this.#pendingDecisions.note(decision, estimateRisk(state, decision));
    this.lost += this.#skill(family, 0) - this.#skill(family, decision.arm);
    return { family, arm: decision.arm };
  }

  #learn(family: string, arm: number): void {
    learn(this.state, { kind: "served", family, arm });
    const reward = this.#random.uniform() < this.#skill(family, arm) ? 1 : 0;
    const changed = learn(this.state, { kind: "rewarded", family, arm, reward });
    if (changed !== undefined) this.isAlarmed = true;
  }

  #skill(family: string, arm: number): number {
    return this.#options.skills[family]?.[arm] ?? 0;
  }
}
