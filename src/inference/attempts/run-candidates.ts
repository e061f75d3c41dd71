import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { CandidatesStrategy } from "../ports.ts";
import type { Attempt } from "./attempt.ts";
import type { JudgedAnswer } from "./candidates.ts";
import { patienceMs } from "./run-checked.ts";
import { type BegunAttempt, type HoldingLimits, runStrategy } from "./run-strategy.ts";

/**
 * Asks for several answers at once, and chooses among them; those that are not worth the wait are broken off. Resolves
 * to the attempt whose answer the caller gets. Throws InferenceError where there is no answer at all.
 */
export async function runCandidates(
  strategy: CandidatesStrategy,
  begin: (begun: BegunAttempt) => Attempt,
  limits: HoldingLimits,
): Promise<Attempt> {
  const choosing = new Choosing(strategy, limits.putDown);
  limits.onLate?.(() => choosing.chooseNow());
  try {
    const answered = runStrategy(strategy, (begun) => choosing.make(begin(begun), begun.claim), limits);
    // They are asked by now, and their prompts are paid for.
    limits.putDown();
    await answered;
    return choosing.end();
  } finally {
    choosing.close();
  }
}

/** An answer that has come and waits for the choice. */
interface Arrived {
  readonly attempt: Attempt;
  readonly judged: JudgedAnswer;
  /** Makes it the one that the caller gets, and breaks off those that are under way. */
  readonly claim: () => void;
  /** Resolves where it is chosen, rejects where another one is. */
  readonly chosen: PromiseWithResolvers<void>;
}

/** Looks at what there is each time that an answer comes or fails, and when patience is over. */
class Choosing {
  readonly #strategy: CandidatesStrategy;
  readonly #putDown: () => void;
  readonly #attempts: Attempt[] = [];
  readonly #arrived: Arrived[] = [];
  #coming = 0;
  #chosen: Attempt | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(strategy: CandidatesStrategy, putDown: () => void) {
    this.#strategy = strategy;
    this.#putDown = putDown;
  }

  /** Makes a call; resolves where its answer is chosen. */
  async make(attempt: Attempt, claim: () => void): Promise<void> {
    this.#attempts.push(attempt);
    this.#coming += 1;
    let judged: JudgedAnswer | undefined;
    try {
      await attempt.hold(async (answer, signal) => {
        // Its cost is known now; to judge it may take as long as somebody's webhook.
        this.#putDown();
        judged = await this.#strategy.judge(answer, signal);
        return judged.verdict;
      });
    } catch (thrown) {
      this.#coming -= 1;
      this.#look(this.#coming);
      // Not where its caller has left, or it was broken off: the record itself comes then.
      if (this.#chosen === undefined && attempt.progress.error !== undefined) this.#putDown();
      throw thrown;
    }
    this.#coming -= 1;
    if (judged === undefined || this.#chosen !== undefined) throw notChosen();
    const chosen = Promise.withResolvers<void>();
    this.#arrived.push({ attempt, judged, claim, chosen });
    this.#look(this.#coming);
    await chosen.promise;
  }

  /** Returns the chosen one. */
  end(): Attempt {
    if (this.#chosen === undefined) throw new Error("a strategy has ended without an answer");
    return this.#chosen;
  }

  /** Chooses among what there is; returns whether there is anything. */
  chooseNow(): boolean {
    this.#look(0);
    return this.#chosen !== undefined;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #look(coming: number): void {
    const [first] = this.#arrived;
    if (this.#chosen !== undefined || first === undefined) return;
    const choice = this.#strategy.choose(
      this.#arrived.map(({ attempt, judged }) => {
        const model = attempt.progress.begun.planned.model.name;
        return { ...judged, isElsewhere: this.#isElsewhere(attempt), model };
      }),
      coming,
    );
    if (choice === undefined) {
      const { latencyMs } = first.attempt.progress.record;
      this.#timer ??= setTimeout(() => this.#look(0), patienceMs(latencyMs) - latencyMs);
      return;
    }
    const { chosen, answers } = choice;
    for (const { progress } of this.#attempts) progress.choice = { reason: "not_awaited" };
    for (const [at, { attempt }] of this.#arrived.entries()) {
      const compared = answers[at];
      if (compared !== undefined) attempt.progress.choice = compared;
    }
    this.#settle(chosen);
  }

  #isElsewhere({ progress }: Attempt): boolean {
    return progress.begun.planned !== this.#strategy.attempts[0];
  }

  #settle(chosen: number): void {
    const winner = this.#arrived[chosen];
    this.#chosen = winner?.attempt;
    // Before their calls are ended, which says no more than that: what is still under way is on the bill as far as it
    // came.
    for (const attempt of this.#attempts) if (attempt !== this.#chosen) attempt.breakOff();
    winner?.claim();
    for (const arrived of this.#arrived) {
      if (arrived === winner) arrived.chosen.resolve();
      else arrived.chosen.reject(notChosen());
    }
  }
}

function notChosen(): InferenceError {
  return new InferenceError(ErrorReason.CANCELED, "another answer was chosen");
}
