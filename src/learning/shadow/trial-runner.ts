import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { estimateInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import type { BackgroundAnswer, PlannedAttempt, TriableAnswer } from "../../inference/ports.ts";
import { newId } from "../../lib/ids.ts";
import { NANOS_PER_USD } from "../../vocabulary/money.ts";
import type { GradingCosts } from "../bandit/shadow/asks-second.ts";
import type { ShadowControls } from "../workload.ts";
import { Examples } from "./examples.ts";
import { mostAnswerTokens, PROMPT_MARGIN } from "./expected-tokens.ts";
import { countAnswerTokens, Judge } from "./judge.ts";
import type { JudgeRules } from "./judge-prompt.ts";
import type {
  AnsweredPrompt,
  Purse,
  ShadowBudgets,
  ShadowModels,
  ShadowRecord,
  ShadowSkip,
  ShadowStore,
  ShadowWatch,
} from "./ports.ts";
import { Spending } from "./spending.ts";

/** The ports of a trial runner. */
export interface TrialRunnerPorts {
  readonly models: ShadowModels;
  readonly store: ShadowStore;
  readonly budgets: ShadowBudgets;
  readonly watch: ShadowWatch;
  readonly onFailure: (error: unknown) => void;
}

/** The parts of a record that are known before its calls. */
type TrialFacts = Pick<
  ShadowRecord,
  "inferenceId" | "projectId" | "improvementId" | "model" | "family" | "kind" | "servedModel" | "reward"
>;

type GradeName = "servedGood" | "trialGood" | "servedGoodSecond" | "trialGoodSecond";

const UNGRADED: Pick<ShadowRecord, GradeName> = {
  servedGood: null,
  trialGood: null,
  servedGoodSecond: null,
  trialGoodSecond: null,
};

/** The parts of a record that its calls tell. */
type Outcome = Pick<ShadowRecord, "trialModel" | "outcome" | GradeName> & {
  /** The trial's answer, for people to judge. */
  readonly answer?: AnsweredPrompt["response"];
};

/** The settings of a trial: its workload's, which name a judge. */
export interface TrialSettings extends ShadowControls {
  readonly judge: string;
}

/** The material of a grade, and its rules. */
export interface Trial {
  readonly facts: TrialFacts;
  readonly settings: TrialSettings;
  /** Returns whether the second judge of the settings grades too; it does not if absent. */
  readonly asksSecond?: (costs: GradingCosts) => boolean;
  /** The money that it may spend; that of the settings if absent. */
  readonly purse?: Purse;
}

/** An answer for which another model is asked. */
export type TriedAnswer = Pick<TriableAnswer, "input" | "response" | "promptTokens" | "ask">;

/** The outcome of a trial or a check: its record, or why nothing was tried or graded. */
export type Tried = ShadowRecord | ShadowSkip;

/** Calls with what they are expected to cost at most. */
interface PlannedCalls {
  readonly nanos: number;
  readonly spending: Spending;
  readonly call: (spending: Spending) => Promise<Outcome | undefined>;
}

/** Answers to a prompt that are to be graded, and the price of the call beside the grades. */
interface ToGrade {
  readonly input: AnsweredPrompt["input"];
  readonly asking: number;
  readonly promptTokens: number;
  readonly answerTokens: readonly number[];
}

/** The grades of an answer by one judge, or two. */
interface JudgeGrades {
  readonly first: boolean | null;
  readonly second: boolean | null;
}

/** The calls of judges: what they cost at most with what is graded, and how they are made. */
interface Grading {
  readonly nanos: number;
  readonly start: (
    spending: Spending,
    signal: AbortSignal,
  ) => (response: AnsweredPrompt["response"]) => Promise<JudgeGrades>;
}

/** Makes the calls of trials and checks within the day's money, and writes what came of them. */
export class TrialRunner {
  readonly #ports: TrialRunnerPorts;
  readonly #judge: Judge;
  readonly #examples: Examples;

  constructor(ports: TrialRunnerPorts) {
    this.#ports = ports;
    const { models, store, onFailure } = ports;
    this.#examples = new Examples(store);
    this.#judge = new Judge({ models, onFailure });
  }

  /** Asks a model for an answer's request, and has both answers graded. */
  async try(answer: TriedAnswer, trial: Trial, trialModel: string, signal: AbortSignal): Promise<Tried> {
    const { models } = this.#ports;
    const tried = models.find(trialModel);
    const { input, response } = answer;
    const promptTokens = Math.ceil(PROMPT_MARGIN * answer.promptTokens);
    const mostTokens = tried === undefined ? 0 : mostAnswerTokens(answer, tried);
    const asking = tried === undefined ? 0 : models.price(tried, { input: promptTokens, output: mostTokens });
    const answerTokens = [countAnswerTokens(response), mostTokens];
    const grading = await this.#grading(trial, { input, asking, promptTokens, answerTokens });
    if (tried === undefined || grading === undefined) return this.#skip("unavailable");
    return await this.#spend(trial, grading.nanos, async (spending) => {
      const other = await this.#ask(answer, { tried, spending }, signal);
      if (other === "unfit") return undefined;
      if (other === "failed") return { ...UNGRADED, trialModel, outcome: "failed" };
      const grade = grading.start(spending, signal);
      const [served, given] = await Promise.all([grade(response), grade(other.response)]);
      const isGraded = served.first !== null && given.first !== null;
      return {
        trialModel,
        servedGood: served.first,
        trialGood: given.first,
        servedGoodSecond: served.second,
        trialGoodSecond: given.second,
        outcome: isGraded ? "graded" : "ungraded",
        answer: other.response,
      };
    });
  }

  /** Has an answer graded that was given. */
  async check({ input, response }: AnsweredPrompt, trial: Trial, signal: AbortSignal): Promise<Tried> {
    const promptTokens = Math.ceil(PROMPT_MARGIN * estimateInputTokens(input));
    const answerTokens = [countAnswerTokens(response)];
    const grading = await this.#grading(trial, { input, asking: 0, promptTokens, answerTokens });
    if (grading === undefined) return this.#skip("unavailable");
    return await this.#spend(trial, grading.nanos, async (spending) => {
      const { first, second } = await grading.start(spending, signal)(response);
      const outcome = first === null ? "ungraded" : "graded";
      return { ...UNGRADED, trialModel: null, servedGood: first, servedGoodSecond: second, outcome };
    });
  }

  /** Returns how answers are graded and what that costs at most, with their price; undefined without a judge. */
  async #grading(trial: Trial, { input, asking, promptTokens, answerTokens }: ToGrade): Promise<Grading | undefined> {
    const { models } = this.#ports;
    const { projectId } = trial.facts;
    const { judge: name, secondJudge } = trial.settings;
    const judge = models.find(name);
    if (judge === undefined) return undefined;
    const rules = await this.#rulesOf(trial);
    const priceOf = (grader: PlannedAttempt): number =>
      answerTokens.reduce(
        (sum, tokens) => sum + this.#judge.price(grader, { rules, promptTokens, answerTokens: tokens }),
        0,
      );
    // One that is the first says nothing more, and one that is away is done without.
    const other = secondJudge === undefined || secondJudge === name ? undefined : models.find(secondJudge);
    const alone = asking + priceOf(judge);
    const both = other === undefined ? alone : alone + priceOf(other);
    const second = other !== undefined && trial.asksSecond?.({ alone, both }) === true ? other : undefined;
    return {
      nanos: second === undefined ? alone : both,
      start: (spending, signal) => async (response) => {
        const gradeBy = async (grader: PlannedAttempt | undefined): Promise<boolean | null> => {
          if (grader === undefined) return null;
          const answered = { input, response, projectId, rules, spending };
          return (await this.#judge.grade(grader, answered, signal)) ?? null;
        };
        const [ofFirst, ofSecond] = await Promise.all([gradeBy(judge), gradeBy(second)]);
        return { first: ofFirst, second: ofSecond };
      },
    };
  }

  /** The same of an answer that is stored. */
  async checkStored(trial: Trial, signal: AbortSignal): Promise<Tried> {
    const { inferenceId, projectId } = trial.facts;
    const answered = await this.#ports.store.readAnswer(inferenceId, projectId);
    if (answered === undefined) return this.#skip("text");
    return await this.check(answered, trial, signal);
  }

  async #rulesOf({ facts, settings }: Trial): Promise<JudgeRules> {
    return { rubric: settings.rubric, examples: await this.#stored(this.#examples.of(facts)) };
  }

  async #ask(
    answer: TriedAnswer,
    { tried, spending }: { readonly tried: PlannedAttempt; readonly spending: Spending },
    signal: AbortSignal,
  ): Promise<BackgroundAnswer | "unfit" | "failed"> {
    try {
      const other = await answer.ask(tried, signal);
      spending.add(other);
      return other;
    } catch (thrown) {
      const { reason, facts } = InferenceError.from(thrown);
      if (reason === ErrorReason.INVALID_REQUEST && facts.upstreamStatus === undefined) return "unfit";
      spending.addFailed(thrown, tried, this.#ports.models);
      if (!signal.aborted) this.#ports.onFailure(thrown);
      return "failed";
    }
  }

  /**
   * Makes calls within the budgets and the trial's money, and writes what came of them; nothing where none was made.
   */
  async #spend(trial: Trial, nanos: number, call: PlannedCalls["call"]): Promise<Tried> {
    const settle = await this.#ports.budgets.reserve(trial.facts.projectId, Math.ceil(nanos));
    if (settle === undefined) return this.#skip("spend");
    const spending = new Spending();
    try {
      return await this.#spendFrom(trial, { nanos, spending, call });
    } finally {
      settle(spending.totals.costNanos ?? 0);
    }
  }

  async #spendFrom({ facts, settings, ...trial }: Trial, { nanos, spending, call }: PlannedCalls): Promise<Tried> {
    const { store, watch } = this.#ports;
    const { budget, usdPerDay } = settings;
    const purse = trial.purse ?? { budget, mostNanos: usdPerDay * NANOS_PER_USD };
    const reservation = await this.#stored(store.reserve(purse, Math.ceil(nanos)));
    if (reservation === undefined) return this.#skip("spend");
    const startedAt = new Date();
    const called = await call(spending);
    if (called === undefined) {
      await this.#stored(store.release(reservation));
      return this.#skip("unfit");
    }
    const { answer, ...outcome } = called;
    const record = { id: newId(), ...facts, ...outcome, ...spending.totals, startedAt };
    await this.#stored(store.write(record, reservation, answer));
    watch.recorded(record);
    return record;
  }

  #skip(why: ShadowSkip): ShadowSkip {
    this.#ports.watch.skipped(why);
    return why;
  }

  /** Counts it where the database cannot be asked: what was set aside stays spent. */
  async #stored<T>(work: Promise<T>): Promise<T> {
    return await work.catch((thrown) => {
      this.#ports.watch.skipped("store");
      throw thrown;
    });
  }
}
