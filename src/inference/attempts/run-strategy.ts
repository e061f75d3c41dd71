import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { AttemptRole, PlannedAttempt, Strategy } from "../ports.ts";
import { RefusedAttempt } from "./refused-attempt.ts";
import { type AttemptFailure, StrategyMachine, type StrategyStep } from "./strategy.ts";

/** One attempt as it is begun. */
export interface BegunAttempt {
  readonly planned: PlannedAttempt;
  readonly role: AttemptRole;
  /** Aborts when the caller leaves, and when another attempt has answered. */
  readonly signal: AbortSignal;
  /** True if another attempt may be running beside. */
  readonly isHedged: boolean;
  /** Tells that its answer begins. Throws where another one has answered before, or the inference has failed. */
  claim(): void;
}

/**
 * Runs a strategy: `make` makes one attempt, and claims its answer before it hands on any of it. Resolves when the
 * attempt that won has ended; throws the InferenceError of what failed.
 */
export function runStrategy(
  strategy: Strategy,
  make: (attempt: BegunAttempt) => Promise<void>,
  { signal, mayBegin }: StrategyLimits,
): Promise<void> {
  return new StrategyRunner(strategy, make, { signal, mayBegin }).run();
}

/** The limits of a strategy. */
export interface StrategyLimits {
  /** Aborts when nobody wants the answer any more. */
  readonly signal: AbortSignal;
  /** Returns whether one more call may be made in a role. */
  readonly mayBegin: (role: AttemptRole) => boolean;
}

/** The same, where answers are kept back that have cost something. */
export interface HoldingLimits extends StrategyLimits {
  /** Puts down what there is by now, for the case that this process dies before the caller has an answer. */
  readonly putDown: () => void;
  /** Sets what gives the answer that there is when the time of the call is over; it returns whether there is one. */
  readonly onLate?: (giveEarly: () => boolean) => void;
}

class StrategyRunner {
  readonly #strategy: Strategy;
  readonly #make: (attempt: BegunAttempt) => Promise<void>;
  readonly #signal: AbortSignal;
  readonly #machine: StrategyMachine;
  readonly #end = Promise.withResolvers<void>();
  /** The abort controllers of attempts that may run beside others, by position. */
  readonly #stops: AbortController[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    strategy: Strategy,
    make: (attempt: BegunAttempt) => Promise<void>,
    { signal, mayBegin }: StrategyLimits,
  ) {
    this.#strategy = strategy;
    this.#make = make;
    this.#signal = signal;
    this.#machine = new StrategyMachine(strategy, mayBegin);
  }

  async run(): Promise<void> {
    this.#do(this.#machine.begin());
    try {
      await this.#end.promise;
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #do(steps: readonly StrategyStep[]): void {
    for (const step of steps) {
      switch (step.kind) {
        case "begin":
          this.#begin(step.attempt, step.role);
          break;
        case "wait":
          this.#timer = setTimeout(() => this.#do(this.#machine.waited()), step.ms);
          break;
        case "cancel":
          this.#stops[step.attempt]?.abort(lost());
          break;
        case "fail":
          this.#end.reject(step.error);
          break;
        default:
          step satisfies never;
      }
    }
  }

  #begin(position: number, role: AttemptRole): void {
    const planned = this.#strategy.attempts[position];
    if (planned === undefined) throw new Error(`the strategy has no attempt ${position}`);
    const { kind } = this.#strategy;
    const isHedged = kind === "hedged";
    const isOneOfSeveral = isHedged || kind === "candidates";
    const claim = (): void => {
      this.#do(this.#machine.answered(position));
      if (this.#machine.winner !== position) throw lost();
    };
    const signal = this.#signalOf(position, isOneOfSeveral);
    this.#make({ planned, role, isHedged, claim, signal }).then(
      () => this.#end.resolve(),
      (thrown) => this.#do(this.#machine.failed(position, getFailure(thrown))),
    );
  }

  #signalOf(position: number, isOneOfSeveral: boolean): AbortSignal {
    if (!isOneOfSeveral) return this.#signal;
    const stop = new AbortController();
    this.#stops[position] = stop;
    return AbortSignal.any([this.#signal, stop.signal]);
  }
}

function getFailure(thrown: unknown): AttemptFailure {
  if (thrown instanceof RefusedAttempt) return { error: thrown.cause, isRefused: true };
  return { error: InferenceError.from(thrown), isRefused: false };
}

function lost(): InferenceError {
  return new InferenceError(ErrorReason.CANCELED, "another attempt has answered");
}
