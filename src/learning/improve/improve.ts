import { setTimeout as delay } from "node:timers/promises";
import { estimateInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import { MOST_TRIED_TOKENS } from "../../inference/ports.ts";
import type { ImprovementEnd } from "../../vocabulary/improvement.ts";
import { SeededRandom } from "../bandit/seeded-random.ts";
import { type GradingCosts, measuresSecond, paysSecond } from "../bandit/shadow/asks-second.ts";
import { isComplaintsOnly } from "../bandit/shadow/feedback-rate.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";
import { combineWorths, findDirection, indexRules, type MetricRules, weigh } from "../learner/metric-settings.ts";
import { Metrics } from "../learner/metrics.ts";
import { type Trial, TrialRunner, type TrialSettings } from "../shadow/trial-runner.ts";
import type { LearnedWorkload } from "../workload.ts";
import { chooseBackfill, type RecordedFamily } from "./choose-backfill.ts";
import {
  type Improvement,
  type ImprovePorts,
  MOST_CHECKED,
  MOST_RECORDED,
  type RatedCall,
  type RecordedCall,
} from "./ports.ts";

/** Recorded requests by their families, each of which is taken once. */
class RecordedCalls {
  readonly #byFamily = new Map<string, { readonly share: number; readonly calls: RecordedCall[] }>();

  /** `calls` has the latest first. */
  constructor(calls: readonly RecordedCall[]) {
    for (const [family, ofFamily] of Map.groupBy(calls, (call) => call.family)) {
      this.#byFamily.set(family, { share: ofFamily.length / calls.length, calls: ofFamily.toReversed() });
    }
  }

  get isEmpty(): boolean {
    return [...this.#byFamily.values()].every(({ calls }) => calls.length === 0);
  }

  families(): readonly RecordedFamily[] {
    return [...this.#byFamily].map(([name, { share, calls }]) => ({ name, share, left: calls.length }));
  }

  /** Takes the latest of a family that is left. */
  take(family: string): RecordedCall | undefined {
    return this.#byFamily.get(family)?.calls.pop();
  }
}

/** Trials between two times at which the evidence is weighed; one without any promise ends the improvement. */
const BATCH = 20;
/** Trials at a time. */
const CONCURRENCY = 4;
const DAY_MS = 86_400_000;
const LEARN_MS = 10_000;
const POLL_MS = 50;

/**
 * Asks other models for recorded requests of a workload, and has the answers graded beside those of base, where the
 * most is expected of it; what is graded is learned as of other trials. First the judge grades answers that people
 * rated, as far as none was graded before. Resolves to why it ended; undefined where the signal broke it off. What was
 * done of one that was broken off is on record, so that it goes on there when it is run again.
 */
export async function improve(
  ports: ImprovePorts,
  improvement: Improvement,
  signal: AbortSignal,
): Promise<ImprovementEnd | undefined> {
  const run = new ImproveRun(ports, improvement, signal);
  try {
    return await run.run();
  } catch (thrown) {
    if (signal.aborted) return undefined;
    throw thrown;
  }
}

/** The course of an improvement in this process. */
class ImproveRun {
  readonly #ports: ImprovePorts;
  readonly #improvement: Improvement;
  readonly #signal: AbortSignal;
  readonly #runner: TrialRunner;
  readonly #random: SeededRandom;
  #calls: number;
  #isSpent = false;

  constructor(ports: ImprovePorts, improvement: Improvement, signal: AbortSignal) {
    this.#ports = ports;
    this.#improvement = improvement;
    this.#signal = signal;
    this.#runner = new TrialRunner(ports);
    this.#random = new SeededRandom(ports.seed ?? Math.random() * 2 ** 32);
    this.#calls = improvement.calls;
  }

  async run(): Promise<ImprovementEnd | undefined> {
    const { store, keepsTexts } = this.#ports;
    const { key } = this.#improvement;
    const workload = await this.#workload();
    const { judge, ...shadow } = workload?.controls.shadow ?? {};
    if (workload === undefined || judge === undefined || !keepsTexts(key.projectId)) return "no-judge";
    const settings = { ...(shadow as TrialSettings), judge };
    await this.#measureJudge(settings, workload);
    const recorded = new RecordedCalls(await store.readRecorded(key, MOST_RECORDED));
    for (;;) {
      const ended = await this.#askBatch(settings, recorded);
      if (this.#signal.aborted) return undefined;
      if (ended !== undefined) return ended;
    }
  }

  /** Has the judge grade rated answers, and where people only complain silent ones, that nobody has graded. */
  async #measureJudge(settings: TrialSettings, { state: before, controls }: LearnedWorkload): Promise<void> {
    const { store } = this.#ports;
    const { key } = this.#improvement;
    const scales = new Metrics(await store.readScales(key));
    const rules = indexRules(controls.metrics);
    const rated = (await store.readUngraded(key, MOST_CHECKED)).flatMap(({ values, ...call }) => {
      const reward = getReward(values, scales, rules);
      return reward === undefined ? [] : [{ call, reward, kind: "check" as const }];
    });
    const silent = isComplaintsOnly(before) ? await store.readSilent(key, MOST_CHECKED) : [];
    const answers = [...rated, ...silent.map((call) => ({ call, reward: null, kind: "silent" as const }))];
    const checked = checkedIn(before);
    let graded = 0;
    await this.#each(answers, async ({ call, reward, kind }) => {
      const asksSecond = () => measuresSecond(before, this.#random);
      const trial = this.#trialOf(settings, { call, kind, reward, asksSecond });
      const tried = await this.#runner.checkStored(trial, this.#limit());
      this.#note(tried);
      if (typeof tried === "object" && tried.outcome === "graded") graded += 1;
    });
    await this.#workload((state) => checkedIn(state) >= checked + graded);
  }

  /** Asks for a batch; returns why there is no further one. */
  async #askBatch(settings: TrialSettings, recorded: RecordedCalls): Promise<ImprovementEnd | undefined> {
    const workload = await this.#workload();
    if (workload === undefined) return "no-models";
    const { state } = workload;
    const eligible = this.#eligible(workload, settings);
    if (!eligible.includes(1)) return "no-models";
    if (state.evidence.gradeWeight === 0) return this.#isSpent ? "budget" : "judge";
    const room = Math.min(BATCH, this.#improvement.mostCalls - this.#calls);
    if (room <= 0) return "calls";
    const chosen: { readonly call: RecordedCall; readonly model: string }[] = [];
    for (let drawn = 0; drawn < room; drawn++) {
      const trial = chooseBackfill(state, recorded.families(), { eligible, random: this.#random });
      const call = trial && recorded.take(trial.family.name);
      if (trial !== undefined && call !== undefined) chosen.push({ call, model: state.arms[trial.arm] ?? "" });
    }
    if (chosen.length === 0) return recorded.isEmpty ? "requests" : "settled";
    const before = gradesIn(state);
    let graded = 0;
    await this.#each(chosen, async ({ call, model }) => {
      if (this.#isSpent) return;
      graded += await this.#ask(settings, call, { model, state });
    });
    await this.#workload((now) => gradesIn(now) >= before + graded);
    return this.#isSpent ? "budget" : undefined;
  }

  /** Asks a model for a recorded request; resolves to the number of answers that were graded. */
  async #ask(
    settings: TrialSettings,
    call: RecordedCall,
    { model, state }: { readonly model: string; readonly state: WorkloadState },
  ): Promise<number> {
    const { store, models } = this.#ports;
    const { projectId } = this.#improvement.key;
    const recorded = await store.readAnswer(call.inferenceId, projectId);
    if (recorded === undefined || models.problemOf(recorded.input) !== undefined) return 0;
    const { input } = recorded;
    const promptTokens = estimateInputTokens(input);
    if (promptTokens > MOST_TRIED_TOKENS) return 0;
    const answer = {
      ...recorded,
      promptTokens,
      ask: (planned: Parameters<typeof models.answer>[0], limit: AbortSignal) =>
        models.answer(planned, { input, projectId }, limit),
    };
    const asksSecond = (costs: GradingCosts) => paysSecond(state, costs);
    const trial = this.#trialOf(settings, { call, kind: "trial", reward: null, asksSecond });
    const tried = await this.#runner.try(answer, trial, model, this.#limit());
    this.#note(tried);
    if (typeof tried !== "object") return 0;
    this.#calls += 1;
    return [tried.servedGood, tried.trialGood].filter((isGood) => isGood !== null).length;
  }

  #note(tried: unknown): void {
    if (tried === "spend") this.#isSpent = true;
  }

  #trialOf(
    settings: TrialSettings,
    facts: { readonly call: RecordedCall } & Pick<Trial["facts"], "kind" | "reward"> & Pick<Trial, "asksSecond">,
  ): Trial {
    const { id, key, mostNanos, requestedAtMs } = this.#improvement;
    const { call, kind, reward, asksSecond } = facts;
    return {
      facts: { ...key, ...call, improvementId: id, servedModel: key.model, kind, reward },
      settings,
      ...(asksSecond && { asksSecond }),
      purse: { budget: `${key.projectId}/${id}`, mostNanos, day: Math.floor(requestedAtMs / DAY_MS) },
    };
  }

  /** Per arm: 1 if it may be asked. A judge that grades its own answers favors them. */
  #eligible({ state, controls }: LearnedWorkload, { judge, secondJudge }: TrialSettings): Uint8Array {
    const { models } = this.#improvement;
    const mayAsk = (name: string, arm: number): boolean =>
      arm !== state.base &&
      state.places[arm] === undefined &&
      name !== judge &&
      name !== secondJudge &&
      !controls.excluded.includes(name) &&
      (models.length === 0 || models.includes(name)) &&
      this.#ports.models.find(name) !== undefined;
    return Uint8Array.from(state.arms, (name, arm) => Number(mayAsk(name, arm)));
  }

  /**
   * Returns what is known of the workload, once it is read and what was graded is learned, for as long as that usually
   * takes at most; undefined where nothing can be learned of it.
   */
  async #workload(isLearned: (state: WorkloadState) => boolean = () => true): Promise<LearnedWorkload | undefined> {
    const deadline = performance.now() + (this.#ports.learnMs ?? LEARN_MS);
    for (;;) {
      const found = this.#ports.workloads.find(this.#improvement.key);
      const isReady = found === undefined || (found.isUnread === undefined && isLearned(found.state));
      if (isReady || performance.now() > deadline) return found;
      await delay(POLL_MS, undefined, { signal: this.#signal });
    }
  }

  #limit(): AbortSignal {
    return AbortSignal.any([this.#signal, AbortSignal.timeout(this.#ports.timeoutMs)]);
  }

  /** Works on some at a time, until money or time is up. */
  async #each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const queue = items.values();
    const next = async (): Promise<void> => {
      for (const item of queue) {
        if (this.#isSpent || this.#signal.aborted) return;
        await work(item);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, next));
  }
}

function checkedIn({ grades }: WorkloadState): number {
  const { praised, rejected, silent } = grades.record;
  return praised + rejected + silent;
}

function gradesIn({ grades }: WorkloadState): number {
  return grades.counts.reduce((sum, count) => sum + count, 0);
}

/** Returns what values of an answer come to on the scales of today, 0 to 1; undefined where nothing counts. */
function getReward(values: RatedCall["values"], scales: Metrics, rules: MetricRules): number | undefined {
  const worths = values.flatMap((entry) => {
    const worth = scales.worthAgain({ name: entry.name, value: entry.value, direction: findDirection(entry, rules) });
    return worth === undefined ? [] : [weigh(worth, entry, rules)];
  });
  return combineWorths(worths)?.reward;
}
