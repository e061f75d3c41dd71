import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { AttemptRole, Plan, PlannedAttempt, Strategy } from "../ports.ts";

/** The next step of a strategy. */
export type StrategyStep =
  | { readonly kind: "begin"; readonly attempt: number; readonly role: AttemptRole }
  /** Tell when `ms` are over. */
  | { readonly kind: "wait"; readonly ms: number }
  /** Break an attempt off. */
  | { readonly kind: "cancel"; readonly attempt: number }
  /** No attempt is left: this is what the caller is told. */
  | { readonly kind: "fail"; readonly error: InferenceError };

/** The failure of an attempt. */
export interface AttemptFailure {
  readonly error: InferenceError;
  /** The request cannot be put in the upstream's format, and was not sent: another format may carry it. */
  readonly isRefused: boolean;
}

/**
 * Decides what a strategy does as its attempts go on: a state machine without clocks and without calls. Attempts are
 * known by their positions. Once one has answered, the choice is final.
 */
export class StrategyMachine {
  readonly #strategy: Strategy;
  readonly #running = new Set<number>();
  readonly #failures: AttemptFailure[] = [];
  /** The next one to begin. */
  #next = 0;
  /** Tokens that an attempt must take for it to be begun: more than what was too small already. */
  #smallest = 0;
  #winner: number | undefined;
  #isOver = false;
  readonly #mayBegin: (role: AttemptRole) => boolean;

  /** `mayBegin` tells whether one more call may be made in a role. */
  constructor(strategy: Strategy, mayBegin: (role: AttemptRole) => boolean) {
    this.#strategy = strategy;
    this.#mayBegin = mayBegin;
  }

  /** The attempt that has answered. */
  get winner(): number | undefined {
    return this.#winner;
  }

  begin(): StrategyStep[] {
    if (this.#strategy.kind === "candidates") return this.#beginCandidates(this.#strategy.count);
    const first = this.#begin("primary", true);
    if (first === undefined) return [this.#fail(noDeployment())];
    return this.#strategy.kind === "hedged" ? [first, { kind: "wait", ms: this.#strategy.afterMs }] : [first];
  }

  /**
   * The first event of an attempt's answer has come, or it was chosen among several. All others are broken off, unless
   * it is one of those itself.
   */
  answered(attempt: number): StrategyStep[] {
    if (this.#winner !== undefined || this.#isOver) return [];
    this.#winner = attempt;
    this.#running.delete(attempt);
    return this.#cancelRunning();
  }

  /** An attempt has failed. */
  failed(attempt: number, failure: AttemptFailure): StrategyStep[] {
    if (this.#isOver) return [];
    const { error } = failure;
    if (this.#winner !== undefined) return this.#winner === attempt ? [this.#fail(error)] : [];
    this.#running.delete(attempt);
    this.#failures.push(failure);
    if (error.reason === ErrorReason.CONTEXT_LENGTH_EXCEEDED) {
      this.#smallest = Math.max(this.#smallest, (this.#strategy.attempts[attempt]?.contextWindow ?? 0) + 1);
    }
    // What runs already has its room.
    if (error.facts.quota !== undefined && this.#running.size > 0) return [];
    const areCandidates = this.#strategy.kind === "candidates" && attempt < this.#strategy.count;
    if (areCandidates && this.#running.size > 0) return [];
    // A model that was chosen in base's place may refuse what base takes.
    if (!areCandidates && this.#mayBase(attempt, failure)) return this.#moveOn([{ ...failure, isRefused: true }]);
    return this.#moveOn(areCandidates ? this.#failures : [failure]);
  }

  /**
   * Tells whether a failure that is final for its model leaves another one to ask, whose places come next then: what is
   * wrong with the request is told by base itself.
   */
  #mayBase(attempt: number, { error, isRefused }: AttemptFailure): boolean {
    if (isRefused || error.mayServeElsewhere || OF_CALL.has(error.reason) || error.facts.quota !== undefined)
      return false;
    const { attempts } = this.#strategy;
    const model = attempts[attempt]?.model.name;
    const next = attempts.findIndex((planned, at) => at >= this.#next && planned.model.name !== model);
    if (next < 0) return false;
    this.#next = next;
    return true;
  }

  /** These have failed, and thus whoever could have answered so far. */
  #moveOn(failures: readonly AttemptFailure[]): StrategyStep[] {
    const last = failures.find(({ error, isRefused }) => !isRefused && !error.mayServeElsewhere);
    if (last !== undefined) return [...this.#cancelRunning(), this.#fail(last.error)];
    // What no waiting mends is asked for elsewhere because it has to be, and makes no storm.
    const isFree = failures.every(({ error, isRefused }) => isRefused || !error.retryable);
    const next = this.#begin("failover", isFree);
    if (next !== undefined) return [next];
    return this.#running.size > 0 ? [] : [this.#fail(mostHelpful(this.#failures.map(({ error }) => error)))];
  }

  #beginCandidates(count: number): StrategyStep[] {
    const steps = Array.from({ length: count }, () => this.#begin("candidate", true)).filter(
      (step) => step !== undefined,
    );
    return steps.length === 0 ? [this.#fail(noDeployment())] : steps;
  }

  /** The time that was to be waited for is over. */
  waited(): StrategyStep[] {
    if (this.#winner !== undefined || this.#isOver) return [];
    const next = this.#begin("hedge");
    return next === undefined ? [] : [next];
  }

  /** `isFree` says that nobody has to allow it. */
  #begin(role: AttemptRole, isFree = false): StrategyStep | undefined {
    const { attempts } = this.#strategy;
    const isTooSmall = (planned: PlannedAttempt | undefined): boolean =>
      planned !== undefined && planned.contextWindow < this.#smallest;
    while (isTooSmall(attempts[this.#next])) this.#next += 1;
    if (this.#next >= attempts.length || !(isFree || this.#mayBegin(role))) return undefined;
    const attempt = this.#next++;
    this.#running.add(attempt);
    return { kind: "begin", attempt, role };
  }

  #cancelRunning(): StrategyStep[] {
    const steps = [...this.#running].map((attempt): StrategyStep => ({ kind: "cancel", attempt }));
    this.#running.clear();
    return steps;
  }

  #fail(error: InferenceError): StrategyStep {
    this.#isOver = true;
    return { kind: "fail", error };
  }
}

/**
 * Returns the failure that helps the caller most: one that may be over later, and soonest; else one that the caller can
 * mend; else the first, whose place was the best.
 */
function mostHelpful(failures: readonly InferenceError[]): InferenceError {
  const later = failures.filter(({ retryable }) => retryable);
  const soonest = Math.min(...later.map(waitMs));
  const byCaller = failures.filter(({ reason }) => CALLERS.has(reason));
  return later.find((error) => waitMs(error) === soonest) ?? byCaller[0] ?? failures[0] ?? noDeployment();
}

/** Failures of the call, whichever model is asked. */
const OF_CALL: ReadonlySet<ErrorReason> = new Set([ErrorReason.CANCELED, ErrorReason.DEADLINE_EXCEEDED]);

/** The reasons that a caller can change. */
const CALLERS: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.INVALID_REQUEST,
  ErrorReason.TRANSLATION_LOSS,
  ErrorReason.CONTEXT_LENGTH_EXCEEDED,
  ErrorReason.REQUEST_TOO_LARGE,
]);

function waitMs({ facts }: InferenceError): number {
  return facts.retryAfterMs ?? 0;
}

function noDeployment(): InferenceError {
  return new InferenceError(
    ErrorReason.INTERNAL,
    "no upstream serves the model: see its deployments in the configuration",
  );
}

/** Returns the choices that each call asks for: all, where every upstream that may be asked gives as many, or one. */
export function choicesPerCall({ n }: { readonly n: number }, { strategy }: Pick<Plan, "strategy">): number {
  return n > 1 && strategy.attempts.every(({ upstream: { mostChoices = 1 } }) => mostChoices >= n) ? n : 1;
}
