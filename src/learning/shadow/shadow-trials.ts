import type { AnswerTrials, TriableAnswer } from "../../inference/ports.ts";
import { BackgroundQueue } from "../../lib/background-queue.ts";
import { wholeFamily } from "../bandit/cluster-id.ts";
import { UNSEEN } from "../bandit/estimates.ts";
import { SeededRandom } from "../bandit/seeded-random.ts";
import { measuresSecond, paysSecond } from "../bandit/shadow/asks-second.ts";
import { checkPart, chooseTrial, trialPart } from "../bandit/shadow/choose-trial.ts";
import { ordinaryPart } from "../bandit/shadow/faded-part.ts";
import { isComplaintsOnly } from "../bandit/shadow/feedback-rate.ts";
import type { RewardedAnswer } from "../ports.ts";
import type { LearnedWorkload, WorkloadCachePort, WorkloadKey } from "../workload.ts";
import type { ShadowSettings } from "./ports.ts";
import { type Trial, TrialRunner, type TrialRunnerPorts, type TrialSettings } from "./trial-runner.ts";

/** The ports of shadow trials. */
interface ShadowPorts extends TrialRunnerPorts {
  readonly settings: ShadowSettings;
  /** Returns the largest share of trials that a workload has by its controls. */
  readonly mostShare: () => number;
  readonly workloads: WorkloadCachePort;
  /** Returns whether a project keeps its texts: what may not be kept is not sent to a judge either. */
  readonly keepsTexts: (projectId: string) => boolean;
  /** Seed of what is drawn; a random one if absent. */
  readonly seed?: number;
}

/** A workload whose answers are tried. */
interface TriedWorkload {
  readonly workload: LearnedWorkload;
  readonly settings: TrialSettings;
}

/** Trials and checks that wait, and what their prompts may come to together in tokens. */
const MOST_WAITING = 32;
const MOST_WAITING_TOKENS = 500_000;
/** The share of silent answers that is graded while people only complain. */
const SILENT_SHARE = 0.05;

/**
 * Has other models asked for some of the answers once their callers have them, and a judge grade both; has answers
 * graded that got feedback, so that it is known how far the judge is right. All of it in the background and within
 * bounds: beyond them answers are skipped. The grades are learned by whoever learns from feedback.
 */
export class ShadowTrials implements AnswerTrials {
  readonly #ports: ShadowPorts;
  readonly #runner: TrialRunner;
  readonly #queue: BackgroundQueue;
  readonly #random: SeededRandom;

  constructor(ports: ShadowPorts) {
    this.#ports = ports;
    const { settings, onFailure, seed = Math.random() * 2 ** 32 } = ports;
    const { concurrency, timeoutMs } = settings;
    const bounds = { mostWaiting: MOST_WAITING, mostWeight: MOST_WAITING_TOKENS };
    this.#queue = new BackgroundQueue({ ...bounds, concurrency, timeoutMs, onFailure });
    this.#runner = new TrialRunner(ports);
    this.#random = new SeededRandom(seed);
  }

  isSampled(): boolean {
    const sampled = this.#sampled;
    return sampled > 0 && !this.#queue.isClosed && this.#random.uniform() < sampled;
  }

  /** The part of the answers that is looked at: for a trial, or as one that nobody has complained of. */
  get #sampled(): number {
    const share = this.#ports.mostShare();
    return share === 0 ? 0 : Math.min(1, share + SILENT_SHARE);
  }

  offer(make: () => TriableAnswer | undefined): void {
    // Its caller's last words go out first.
    setImmediate(() => {
      try {
        const answer = make();
        if (answer !== undefined) this.#draw(answer);
      } catch (thrown) {
        this.#ports.onFailure(thrown);
      }
    });
  }

  /** Has answers graded that feedback was learned of, or a part of them. */
  check(rewarded: readonly RewardedAnswer[]): void {
    for (const { key, family, servedModel, inferenceId, reward } of rewarded) {
      const found = this.#find(key, servedModel);
      if (found === undefined || this.#random.uniform() >= checkPart(found.workload.state)) continue;
      const facts = { ...key, inferenceId, improvementId: null, family, servedModel, kind: "check", reward } as const;
      this.#add(0, async (signal) => {
        const asksSecond = () => measuresSecond(found.workload.state, this.#random);
        await this.#runner.checkStored({ facts, settings: found.settings, asksSecond }, signal);
      });
    }
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await this.#queue.close();
  }

  /** Finds the workload of an answer that one model gave by itself, where its texts may be graded. */
  #find({ projectId, model }: WorkloadKey, servedModel: string): TriedWorkload | undefined {
    if (!this.#ports.keepsTexts(projectId)) return undefined;
    const workload = this.#ports.workloads.find({ projectId, model });
    if (workload === undefined || workload.isUnread) return undefined;
    const { judge, ...shadow } = workload.controls.shadow;
    if (judge === undefined || shadow.share === 0) return undefined;
    const arm = workload.state.arms.indexOf(servedModel);
    const isOne = arm !== -1 && workload.state.places[arm] === undefined;
    return isOne ? { workload, settings: { ...shadow, judge } } : undefined;
  }

  /** Draws whether another model is tried on an answer, or it is graded as one that nobody has complained of. */
  #draw(answer: TriableAnswer): void {
    const found = this.#find(answer, answer.servedModel);
    if (found === undefined) return;
    const { workload, settings } = found;
    const { state } = workload;
    const { inferenceId, projectId, model, servedModel, decision, promptTokens } = answer;
    const { family } = decision;
    const facts = { inferenceId, projectId, improvementId: null, model, servedModel, family, reward: null };
    // One draw for both, so that none is graded twice where both shares have room.
    const sampled = this.#sampled;
    const drawn = this.#random.uniform() * sampled;
    const asksSecond: Record<"silent" | "trial", NonNullable<Trial["asksSecond"]>> = {
      silent: () => measuresSecond(state, this.#random),
      trial: (costs) => paysSecond(state, costs),
    };
    const trial = (kind: "silent" | "trial"): Trial => {
      return { facts: { ...facts, kind }, settings, asksSecond: asksSecond[kind] };
    };
    if (isComplaintsOnly(state) && drawn < SILENT_SHARE * checkPart(state)) {
      this.#add(promptTokens, async (signal) => {
        await this.#runner.check(answer, trial("silent"), signal);
      });
    } else if (drawn >= sampled - settings.share * trialPart(state) * ordinaryPart(state)) {
      const tried = this.#choose(answer, workload, settings);
      if (tried === undefined) return;
      this.#add(promptTokens, async (signal) => {
        await this.#runner.try(answer, trial("trial"), tried, signal);
      });
    }
  }

  /** Chooses the model to try among those that might have answered. */
  #choose(
    { decision, servedModel }: TriableAnswer,
    { state, controls }: LearnedWorkload,
    { judge, secondJudge = judge }: TrialSettings,
  ): string | undefined {
    const mayAnswer = new Set(decision.arms.filter((_, arm) => decision.eligible[arm] === 1));
    // A judge that grades its own answers favours them, and nobody could tell before it has answered.
    for (const name of [...controls.excluded, judge, secondJudge]) mayAnswer.delete(name);
    const eligible = Uint8Array.from(state.arms, (name) => Number(mayAnswer.has(name)));
    const family = state.families.find(decision.family) ?? state.families.find(wholeFamily(decision.family)) ?? UNSEEN;
    const tried = chooseTrial(state, { family, served: state.arms.indexOf(servedModel), eligible }, this.#random);
    return tried === undefined ? undefined : state.arms[tried];
  }

  #add(promptTokens: number, work: (signal: AbortSignal) => Promise<void>): void {
    if (this.#queue.hasRoom(promptTokens)) this.#queue.add(promptTokens, work);
    else this.#ports.watch.skipped("full");
  }
}
