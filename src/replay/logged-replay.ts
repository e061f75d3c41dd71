import type { DecisionRecord } from "../hub/decision-record.ts";
import { Decision, decide } from "../learning/bandit/decide.ts";
import { meanReward, UNSEEN } from "../learning/bandit/estimates.ts";
import { relativePrice } from "../learning/bandit/prices.ts";
import { calculatePropensity } from "../learning/bandit/propensity.ts";
import type { FeedbackEvent, LoggedItem, ServedEvent } from "../learning/events.ts";
import { nameValue } from "../learning/learner/answer-values.ts";
import { learnBatch } from "../learning/learner/learn-batch.ts";
import { indexRules } from "../learning/learner/metric-settings.ts";
import type { Priors } from "../learning/learner/priors.ts";
import { createShape } from "../learning/learner/state-shape.ts";
import { WorkloadModel } from "../learning/learner/workload-model.ts";
import type { FeedbackTarget, StoredValue } from "../learning/ports.ts";
import type { WorkloadControls, WorkloadKey } from "../learning/workload.ts";
import type { MetricSettings } from "../vocabulary/metric-overrides.ts";
import { Course } from "./course.ts";
import { type Counted, createReport, type Feedbacks, type LoggedReport } from "./report.ts";
import { RunningMean } from "./running-mean.ts";

interface LoggedReplayOptions extends Pick<WorkloadControls, "objective" | "feedback"> {
  readonly key: WorkloadKey;
  /** Models that may answer, base among them. */
  readonly models: readonly string[];
  readonly priors?: Priors;
  /** The settings of metrics; none if absent. */
  readonly metrics?: readonly MetricSettings[];
}

/** Inferences whose feedback is waited for: of older ones it is counted, and not judged by. */
const MOST_WAITING = 200_000;

/** An inference on record whose feedback may still come. */
interface Waiting {
  readonly target: FeedbackTarget;
  readonly arm: number;
  readonly propensity: number;
  /** Per model: whether it had a chance; what it was expected to bring. */
  readonly covered: Uint8Array;
  readonly expected: Float64Array;
  /** The model that each course would have chosen. */
  readonly courses: Int16Array;
  /** Metrics that were spoken of. */
  /** Feedback on the answer so far: the first value of each name. */
  readonly values: Map<string, StoredValue>;
  isRewarded: boolean;
}

/**
 * Tells what other courses of action would have brought on requests that are on record, with the chances that their
 * models had: base alone, each model alone, and the policy with what it could have learned by then. Nothing that came
 * later bears on what is expected of a request.
 */
export class LoggedReplay implements Counted {
  readonly options: LoggedReplayOptions;
  /** Base, the policy, then each other model. */
  readonly courses: readonly { readonly name: string; readonly rewards: Course; readonly costs: Course }[];
  readonly served = { rewards: new RunningMean(), deviations: 0 };
  readonly feedback: readonly Feedbacks[];
  requests = 0;
  /**
   * Requests of which nothing is told: they went on with the model that their conversation began with, or with one that
   * is gone.
   */
  passedOver = 0;
  tooLate = 0;
  readonly #memory: WorkloadModel;
  readonly #waiting = new Map<string, Waiting>();
  readonly #decision: Decision;
  readonly #logged = new Map<number, Decision>();
  #group: FeedbackEvent[] = [];

  constructor(options: LoggedReplayOptions) {
    const { key, models, priors = {}, metrics = [] } = options;
    this.options = options;
    this.#memory = WorkloadModel.begin(key, createShape(key, { arms: models }, { ...options, metrics }), priors);
    this.#memory.rules = indexRules(metrics);
    this.#decision = new Decision(models.length);
    const { base } = this.#memory.state;
    const names = ["base", "policy", ...models.filter((_, arm) => arm !== base)];
    this.courses = names.map((name) => ({ name, rewards: new Course(base), costs: new Course(base) }));
    this.feedback = models.map(() => ({ requests: 0, rewarded: 0 }));
  }

  take(item: LoggedItem): void {
    const [first] = this.#group;
    const isOfGroup =
      item.kind === "feedback" && first?.inferenceId === item.event.inferenceId && first.atMs === item.event.atMs;
    if (!isOfGroup) this.#learnGroup();
    if (item.kind === "feedback") this.#group.push(item.event);
    else this.#takeServed(item.event, item.decision);
  }

  report(): LoggedReport {
    this.#learnGroup();
    return createReport(this);
  }

  #takeServed(event: ServedEvent, decision: DecisionRecord): void {
    this.requests += 1;
    const waiting = this.#waitFor(event, decision);
    if (waiting === undefined) this.passedOver += 1;
    else {
      if (waiting.arm !== this.#memory.state.base) this.served.deviations += 1;
      this.#judgeCost(event, waiting);
      const feedback = this.feedback[waiting.arm];
      if (feedback !== undefined) feedback.requests += 1;
      this.#waiting.set(event.id, waiting);
      if (this.#waiting.size > MOST_WAITING) {
        for (const [oldest] of this.#waiting) {
          this.#waiting.delete(oldest);
          break;
        }
      }
    }
    learnBatch([event], { memoryOf: () => this.#memory, targets: new Map(), repeated: new Set(), others: new Map() });
  }

  #waitFor(event: ServedEvent, logged: DecisionRecord): Waiting | undefined {
    const { state } = this.#memory;
    if (logged.kept === "conversation" || logged.kept === "session") return undefined;
    const chosen = logged.kept === undefined ? (logged.arms[logged.arm] ?? "") : (logged.arms[logged.base] ?? "");
    const arm = this.#memory.armOf(chosen);
    if (arm === undefined) return undefined;
    const family = state.families.find(this.#memory.familyOf(event.family)) ?? UNSEEN;
    const covered = this.#coverOf(logged);
    const eligible = new Uint8Array(covered.length);
    for (const [index, name] of logged.arms.entries()) {
      const own = this.#memory.armOf(name);
      if (own !== undefined && logged.eligible[index] === 1 && logged.kept !== "unfit") eligible[own] = 1;
    }
    // Its own chance, apart from that which the record was drawn from: else the two would agree more often than the
    // chances say.
    const seed = Math.imul(logged.seed ^ 0x9e3779b9, 0x85ebca6b);
    const { arm: ofPolicy } = decide(state, { family, eligible, seed }, this.#decision);
    const expected = Float64Array.from(state.arms, (_, index) => meanReward(state, family, index));
    const others = state.arms.flatMap((_, index) => (index === state.base ? [] : [index]));
    const courses = Int16Array.from([
      state.base,
      ofPolicy,
      // A model that could not take a request would not have been asked.
      ...others.map((index) => (eligible[index] === 1 ? index : state.base)),
    ]);
    const propensity = logged.kept === undefined ? this.#propensityOf(logged) : 1;
    const target = { model: event.model, servedModel: chosen, family: event.family };
    return { target, arm, propensity, covered, expected, courses, values: new Map(), isRewarded: false };
  }

  /** Returns the models that had a chance to answer. */
  #coverOf({ arms, eligible, base, best, controlChance, exploreChance, kept }: DecisionRecord): Uint8Array {
    const covered = new Uint8Array(this.#memory.state.arms.length);
    for (const [index, name] of arms.entries()) {
      const own = this.#memory.armOf(name);
      if (own === undefined) continue;
      const isChosen = index === best || (index === base && controlChance > 0);
      const hadChance = kept === undefined ? isChosen || (exploreChance > 0 && eligible[index] === 1) : index === base;
      covered[own] = hadChance ? 1 : 0;
    }
    return covered;
  }

  #propensityOf({ arms, eligible, worths, doubts, ...record }: DecisionRecord): number {
    let decision = this.#logged.get(arms.length);
    if (decision === undefined) {
      decision = new Decision(arms.length);
      this.#logged.set(arms.length, decision);
    }
    decision.eligible.set(eligible);
    decision.worths.set(worths);
    decision.doubts.set(doubts);
    decision.base = record.base;
    decision.best = record.best;
    decision.controlChance = record.controlChance;
    decision.exploreChance = record.exploreChance;
    decision.exploreWidth = record.exploreWidth;
    return calculatePropensity(decision, record.arm);
  }

  #judgeCost({ costNanos, family: name }: ServedEvent, waiting: Waiting): void {
    const { state } = this.#memory;
    const family = state.families.find(this.#memory.familyOf(name));
    const ofBase = family === undefined ? undefined : state.prices.baseMeanIn(family);
    if (costNanos === null || ofBase === undefined || this.options.objective === "latency") return;
    this.#judge(
      this.courses.map(({ costs }) => costs),
      waiting,
      {
        value: costNanos,
        expected: (arm) => ofBase * relativePrice(state, arm),
      },
    );
  }

  #learnGroup(): void {
    const group = this.#group;
    this.#group = [];
    const [first] = group;
    const waiting = first && this.#waiting.get(first.inferenceId);
    if (first === undefined) return;
    if (waiting === undefined) {
      this.tooLate += 1;
      return;
    }
    const { values: known } = waiting;
    const isRepeated = (event: FeedbackEvent) => event.isOnSession !== true && known.has(nameValue(event));
    const repeated = new Set(group.filter(isRepeated).map(({ id }) => id));
    const values = new Map([[first.inferenceId, [...known.values()]]]);
    for (const event of group) if (!isRepeated(event)) known.set(nameValue(event), event);
    learnBatch(group, {
      memoryOf: () => this.#memory,
      targets: new Map([[first.inferenceId, waiting.target]]),
      repeated,
      values,
      others: new Map(),
      onReward: (reward) => this.#judgeReward(reward, waiting),
    });
  }

  #judgeReward(value: number, waiting: Waiting): void {
    this.served.rewards.add(value);
    const feedback = this.feedback[waiting.arm];
    if (feedback !== undefined && !waiting.isRewarded) feedback.rewarded += 1;
    waiting.isRewarded = true;
    this.#judge(
      this.courses.map(({ rewards }) => rewards),
      waiting,
      {
        value,
        expected: (arm) => waiting.expected[arm] ?? 0,
      },
    );
  }

  #judge(
    courses: readonly Course[],
    { arm, propensity, covered, courses: arms }: Waiting,
    { value, expected }: { readonly value: number; readonly expected: (arm: number) => number },
  ): void {
    const answered = { arm, propensity, value, expected, isCovered: (other: number) => covered[other] === 1 };
    for (const [index, course] of courses.entries()) course.add(arms[index] ?? 0, answered);
  }
}
