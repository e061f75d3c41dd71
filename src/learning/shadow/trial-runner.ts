import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { estimateInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import type { BackgroundAnswer, PlannedAttempt, TriableAnswer } from "../../inference/ports.ts";
import { newId } from "../../lib/ids.ts";
import { answerTokensOf, Judge } from "./judge.ts";
import type {
  AnsweredPrompt,
  Reservation,
  ShadowBudgets,
  ShadowModels,
  ShadowRecord,
  ShadowSettings,
  ShadowStore,
  ShadowWatch,
} from "./ports.ts";
import { Spending } from "./spending.ts";

/** The ports of a trial runner. */
export interface TrialRunnerPorts {
  readonly settings: Pick<ShadowSettings, "judge" | "rubric" | "usdPerDay">;
  readonly models: ShadowModels;
  readonly store: ShadowStore;
  readonly budgets: ShadowBudgets;
  readonly watch: ShadowWatch;
  readonly onFailure: (error: unknown) => void;
}

/** The parts of a record that are known before its calls. */
export type TrialFacts = Pick<
  ShadowRecord,
  "inferenceId" | "projectId" | "model" | "family" | "kind" | "servedModel" | "reward"
>;

/** The parts of a record that its calls tell. */
type Outcome = Pick<ShadowRecord, "trialModel" | "servedGood" | "trialGood" | "outcome">;

/** Calls with what they are expected to cost at most. */
interface PlannedCalls {
  readonly nanos: number;
  readonly spending: Spending;
  readonly call: (spending: Spending) => Promise<Outcome | undefined>;
}

/** The tokens that a trial's answer is expected to have at most: so many times those of the answer that was given. */
const MOST_TIMES_LONGER = 4;
/** Prompts have more tokens than their length tells, where they are code or not English. */
const PROMPT_MARGIN = 1.5;
const LEAST_ANSWER_TOKENS = 1000;
const NANOS_PER_USD = 1e9;

/** Makes the calls of trials and checks within the day's money, and writes what came of them. */
export class TrialRunner {
  readonly #ports: TrialRunnerPorts;
  readonly #judge: Judge;

  constructor(ports: TrialRunnerPorts) {
    this.#ports = ports;
    const { models, onFailure } = ports;
    const { judge: name, rubric } = ports.settings;
    this.#judge = new Judge({ models, name, rubric, onFailure });
  }

  /** Asks a model for an answer's request, and has both answers graded. */
  async try(answer: TriableAnswer, facts: TrialFacts, trialModel: string, signal: AbortSignal): Promise<void> {
    const { models, watch } = this.#ports;
    const [tried, judge] = [models.find(trialModel), this.#judge.find()];
    if (tried === undefined || judge === undefined) return watch.skipped("unavailable");
    const { input, response } = answer;
    const promptTokens = Math.ceil(PROMPT_MARGIN * answer.promptTokens);
    const mostTokens = mostAnswerTokens(answer, tried);
    const grades = [answerTokensOf(response), mostTokens].map((answerTokens) =>
      this.#judge.price(judge, { promptTokens, answerTokens }),
    );
    const asking = models.price(tried, { input: promptTokens, output: mostTokens });
    const nanos = grades.reduce((sum, grade) => sum + grade, asking);
    await this.#spend(facts, nanos, async (spending) => {
      const other = await this.#ask(answer, { tried, spending }, signal);
      if (other === "unfit") return undefined;
      if (other === "failed") return { trialModel, servedGood: null, trialGood: null, outcome: "failed" };
      const grade = async (graded: AnsweredPrompt["response"]): Promise<boolean | null> =>
        (await this.#judge.grade(judge, { input, response: graded, projectId: facts.projectId, spending }, signal)) ??
        null;
      const [servedGood, trialGood] = await Promise.all([grade(response), grade(other.response)]);
      const isGraded = servedGood !== null && trialGood !== null;
      return { trialModel, servedGood, trialGood, outcome: isGraded ? "graded" : "ungraded" };
    });
  }

  /** Has an answer graded that was given. */
  async check({ input, response }: AnsweredPrompt, facts: TrialFacts, signal: AbortSignal): Promise<void> {
    const judge = this.#judge.find();
    if (judge === undefined) return this.#ports.watch.skipped("unavailable");
    const promptTokens = Math.ceil(PROMPT_MARGIN * estimateInputTokens(input));
    const nanos = this.#judge.price(judge, { promptTokens, answerTokens: answerTokensOf(response) });
    await this.#spend(facts, nanos, async (spending) => {
      const graded = { input, response, projectId: facts.projectId, spending };
      const servedGood = (await this.#judge.grade(judge, graded, signal)) ?? null;
      const outcome = servedGood === null ? "ungraded" : "graded";
      return { trialModel: null, servedGood, trialGood: null, outcome };
    });
  }

  /** The same of an answer that is stored. */
  async checkStored(facts: TrialFacts, signal: AbortSignal): Promise<void> {
    const answered = await this.#ports.store.readAnswer(facts.inferenceId, facts.projectId);
    if (answered === undefined) return this.#ports.watch.skipped("text");
    await this.check(answered, facts, signal);
  }

  async #ask(
    answer: TriableAnswer,
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

  /** Makes calls within the budgets and the day's money, and writes what came of them; nothing where none was made. */
  async #spend(facts: TrialFacts, nanos: number, call: PlannedCalls["call"]): Promise<void> {
    const settle = await this.#ports.budgets.reserve(facts.projectId, Math.ceil(nanos));
    if (settle === undefined) return this.#ports.watch.skipped("spend");
    const spending = new Spending();
    try {
      await this.#spendToday(facts, { nanos, spending, call });
    } finally {
      settle(spending.totals.costNanos ?? 0);
    }
  }

  async #spendToday(facts: TrialFacts, { nanos, spending, call }: PlannedCalls): Promise<void> {
    const { store, settings, watch } = this.#ports;
    const mostNanos = settings.usdPerDay * NANOS_PER_USD;
    const reservation = await this.#stored(store.reserve(Math.ceil(nanos), mostNanos));
    if (reservation === undefined) return watch.skipped("spend");
    const startedAt = new Date();
    const outcome = await call(spending);
    await this.#settle(reservation, outcome && { id: newId(), ...facts, ...outcome, ...spending.totals, startedAt });
  }

  async #settle(reservation: Reservation, record: ShadowRecord | undefined): Promise<void> {
    const { store, watch } = this.#ports;
    if (record === undefined) {
      await this.#stored(store.release(reservation));
      return watch.skipped("unfit");
    }
    await this.#stored(store.write(record, reservation));
    watch.recorded(record);
  }

  /** Counts it where the database cannot be asked: what was set aside stays spent. */
  async #stored<T>(work: Promise<T>): Promise<T> {
    return await work.catch((thrown) => {
      this.#ports.watch.skipped("store");
      throw thrown;
    });
  }
}

function mostAnswerTokens({ input, response }: TriableAnswer, { model }: PlannedAttempt): number {
  const expected = LEAST_ANSWER_TOKENS + MOST_TIMES_LONGER * answerTokensOf(response);
  return Math.min(expected, input.maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens);
}
