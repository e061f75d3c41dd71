import type { AnswerAudit, AuditedAnswer, BackgroundAnswer } from "../../inference/ports.ts";
import { BackgroundQueue } from "../../lib/background-queue.ts";
import { NANOS_PER_USD } from "../../vocabulary/money.ts";
import { type AnswerFeatures, readFeatures } from "./answer-features.ts";
import { type AuditKey, addSample, type Sample } from "./audit-state.ts";
import { compareAnswers } from "./compare-answers.ts";
import { EarnedBudget } from "./earned-budget.ts";
import type { AuditChange, AuditSkip, AuditStore, AuditWatch } from "./ports.ts";

/** The limits of the audit. */
export interface AuditSettings {
  /** Part of the answers that is drawn: 0 to 1. */
  readonly share: number;
  /** Of these, the part for which base is asked twice: 0 to 1. */
  readonly nullShare: number;
  /** Plain calls that this process makes in an hour at most. */
  readonly callsPerHour: number;
  /** The most that calls of this process cost in 24 hours, in USD, for models with a price; no bound if absent. */
  readonly usdPerDay?: number | undefined;
  /** Answers that are compared at a time. */
  readonly concurrency: number;
  /** Time that the plain calls for one answer may take together. */
  readonly timeoutMs: number;
}

/** The ports of the auditor. */
export interface AuditorPorts {
  readonly settings: AuditSettings;
  readonly store: Pick<AuditStore, "change">;
  readonly watch: AuditWatch;
  /** A state was changed. */
  readonly onChange: (change: AuditChange) => void;
  /** An answer could not be compared. */
  readonly onFailure: (error: unknown) => void;
  /** Draws a number from 0 to below 1; Math.random if absent. */
  readonly random?: () => number;
  /** A steady clock in milliseconds; performance.now if absent. */
  readonly now?: () => number;
}

/** Answers that wait for their comparison, and what their prompts may come to together. */
const MOST_WAITING = 16;
const MOST_WAITING_TOKENS = 500_000;

/** Prompts that are known again. */
const KNOWN_PROMPTS = 4096;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The part of an hour's calls, and of a day's money, that may be saved up. */
const SAVED_UP = 0.1;

/** An answer that waits: of its text, only what is compared is left. */
interface Waiting {
  readonly answer: Omit<AuditedAnswer, "response">;
  readonly deployed: AnswerFeatures;
  readonly isNull: boolean;
}

/**
 * Compares some of the answers with those of plain calls, in the background and within bounds; beyond them answers are
 * skipped, and counted as such. Nothing of a text outlives its comparison.
 */
export class Auditor implements AnswerAudit {
  readonly #ports: Required<AuditorPorts>;
  readonly #queue: BackgroundQueue;
  /** The same prompt over and over would tell the same over and over, as if it were new. */
  readonly #known = new Set<string>();
  readonly #calls: EarnedBudget;
  /** Billionths of a USD. */
  readonly #money: EarnedBudget | undefined;

  constructor(ports: AuditorPorts) {
    this.#ports = { random: Math.random, now: () => performance.now(), ...ports };
    const { settings, now } = this.#ports;
    this.#calls = callBudget(settings, now);
    this.#money = moneyBudget(settings, now);
    const { concurrency, timeoutMs } = settings;
    this.#queue = new BackgroundQueue({
      concurrency,
      timeoutMs,
      mostWaiting: MOST_WAITING,
      mostWeight: MOST_WAITING_TOKENS,
      onFailure: (error) => this.#fail(error),
    });
  }

  isSampled(): boolean {
    return !this.#queue.isClosed && this.#ports.random() < this.#ports.settings.share;
  }

  offer(make: () => AuditedAnswer | undefined): void {
    // Its caller's last words go out first.
    setImmediate(() => {
      try {
        const answer = make();
        if (answer !== undefined && !this.#queue.isClosed) this.#enqueue(answer);
      } catch (thrown) {
        this.#fail(thrown);
      }
    });
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await this.#queue.close();
  }

  #enqueue({ response, ...answer }: AuditedAnswer): void {
    const { settings, watch, random } = this.#ports;
    const prompt = `${answer.place.upstream}\n${answer.place.model}\n${answer.promptKey}`;
    const isNull = random() < settings.nullShare;
    const why = this.#whyNot(answer, prompt) ?? (this.#calls.take(isNull ? 2 : 1) ? undefined : "budget");
    if (why !== undefined) {
      watch.skipped(why);
      return;
    }
    this.#remember(prompt);
    const waiting: Waiting = { answer, deployed: readFeatures(response), isNull };
    this.#queue.add(answer.promptTokens, (signal) => this.#compare(waiting, signal));
  }

  #whyNot({ promptTokens }: Pick<AuditedAnswer, "promptTokens">, prompt: string): AuditSkip | undefined {
    if (!this.#queue.hasRoom(promptTokens)) return "full";
    if (this.#known.has(prompt)) return "repeated";
    return this.#isSpent ? "spend" : undefined;
  }

  get #isSpent(): boolean {
    return this.#money !== undefined && this.#money.left <= 0;
  }

  async #compare({ answer, deployed, isNull }: Waiting, signal: AbortSignal): Promise<void> {
    const { store, watch, onChange } = this.#ports;
    // Those before it may have cost all that there was when it came.
    if (this.#isSpent) return watch.skipped("spend");
    const { model, place, plainPlace, isDeterministic } = answer;
    const key: AuditKey = { model, place };
    const ask = async (): Promise<AnswerFeatures> => {
      const spend = (costNanos: number | undefined): void => {
        watch.called(key, costNanos);
        this.#money?.spend(costNanos ?? 0);
      };
      try {
        const { response, costNanos }: BackgroundAnswer = await answer.askPlain(signal);
        spend(costNanos);
        return readFeatures(response);
      } catch (thrown) {
        const costNanos = answer.failedNanos(thrown);
        if (costNanos !== undefined) spend(costNanos);
        throw thrown;
      }
    };
    const [base, baseAgain] = await Promise.all(isNull ? [ask(), ask()] : [ask()]);
    // Nothing is written of what took too long.
    signal.throwIfAborted();
    if (base === undefined) return;
    const comparison = compareAnswers({ deployed, base, baseAgain, isDeterministic });
    const sample: Sample = { key, plainPlace, comparison };
    try {
      const change = await store.change(key, (known) => addSample(known, sample, new Date()));
      watch.compared(key);
      onChange(change);
    } catch (thrown) {
      watch.skipped("store");
      this.#ports.onFailure(thrown);
    }
  }

  #fail(thrown: unknown): void {
    if (this.#queue.isClosed) return;
    this.#ports.watch.skipped("failed");
    this.#ports.onFailure(thrown);
  }

  #remember(prompt: string): void {
    this.#known.add(prompt);
    if (this.#known.size <= KNOWN_PROMPTS) return;
    const [oldest] = this.#known;
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

function callBudget({ callsPerHour }: AuditSettings, now: () => number): EarnedBudget {
  const most = Math.max(2, callsPerHour * SAVED_UP);
  return new EarnedBudget({ earned: callsPerHour, periodMs: HOUR_MS, most, now });
}

/**
 * Creates the budget in USD: what is saved up and what is earned in a day are no more than the day's money together.
 */
function moneyBudget({ usdPerDay }: AuditSettings, now: () => number): EarnedBudget | undefined {
  if (usdPerDay === undefined) return undefined;
  const nanos = usdPerDay * NANOS_PER_USD;
  return new EarnedBudget({ earned: nanos * (1 - SAVED_UP), periodMs: DAY_MS, most: nanos * SAVED_UP, now });
}
