import { setTimeout as delay } from "node:timers/promises";
import type { Outlook } from "../../vocabulary/outlook.ts";
import { OtherVersionError } from "../bandit/snapshot.ts";
import type { FeedbackEvent } from "../events.ts";
import {
  type HistoryEvent,
  type LearnerStore,
  LearningConflict,
  type LearningStep,
  type RewardedAnswer,
} from "../ports.ts";
import type { WorkloadKey } from "../workload.ts";
import { ClusterFinder } from "./cluster-finder.ts";
import { learnStep, toChanged } from "./learn-step.ts";
import type { WorkloadModel } from "./workload-model.ts";
import { WorkloadModels, type WorkloadModelsOptions } from "./workload-models.ts";

/** The log of the learner. */
interface LearnerLog {
  warn(facts: object, message: string): void;
}

/** The options of a learner. */
export interface LearnerOptions extends WorkloadModelsOptions {
  readonly store: LearnerStore;
  readonly log: LearnerLog;
  /** The polling interval in milliseconds. */
  readonly pollMs: number;
  /** Called once something was learned from feedback or grades. */
  readonly onLearned?: () => void;
  /** Called with the answers that feedback was learned of, once that is written. */
  readonly onRewarded?: ((rewarded: readonly RewardedAnswer[]) => void) | undefined;
  /** Called once for a workload in the mode `observe` when it is known what the mode `on` would do. */
  readonly onOutlook?: ((key: WorkloadKey, outlook: Outlook) => void) | undefined;
}

/** The outcome of a step: learned, found nothing, left to another process, or to another version of Attune. */
type StepOutcome = "some" | "none" | "busy" | "other-version";

/** The changes of one step, and whether they may change the next choices; served inferences alone do not. */
interface Learned {
  readonly memories: readonly WorkloadModel[];
  readonly hasNews: boolean;
  readonly rewarded: readonly RewardedAnswer[];
  readonly history: readonly HistoryEvent[];
}

/** Events of one step: it keeps the event loop for some milliseconds. */
const MOST_EVENTS = 2000;
/** The time within which events are learned together. */
const COLLECT_MS = 20;
/** The delay of a process that was not the last to learn: the last one has the state in memory, and goes first. */
const STAND_BACK_MS = 250;
const BETWEEN_STEPS_MS = 5;
const AFTER_FAILURE_MS = 1000;
const AFTER_OTHER_VERSION_MS = 10_000;
const COMPLAINT_PERIOD_MS = 60_000;

/** Feedback waits so long for its inference: at first a second, then half its age again, and an hour at most. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 300_000;
const GIVEN_UP_MS = 3_600_000;

/**
 * Learns from what waits in the database, step by step. A step deletes what it consumed and writes what it learned in
 * one transaction, which fails where somebody else was faster: so everything counts once, whatever dies. What is in
 * memory is a copy.
 */
export class Learner {
  readonly #options: LearnerOptions;
  readonly #memories: WorkloadModels;
  readonly #finder: ClusterFinder;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #wake: () => void = () => {};
  #isPoked = false;
  #wasLast = false;
  #complainedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: LearnerOptions) {
    this.#options = options;
    this.#memories = new WorkloadModels(options);
    this.#finder = new ClusterFinder({
      ...options,
      onFailure: (error) => this.#complain({ err: error }, "cannot look for clusters of prompts at the moment"),
    });
  }

  /** Learns from now on, until it is closed. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** There may be something to learn. */
  poke(): void {
    this.#isPoked = true;
    this.#wake();
  }

  /** Ends once the step under way is over. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#running;
    await this.#finder.close();
  }

  /** Takes one step. Rejects if nothing of it was written. */
  async learn(): Promise<StepOutcome> {
    try {
      const learned = await this.#options.store.step((step) => this.#learn(step));
      if (learned === "busy" || learned === "none") return learned;
      // Only now is it written.
      for (const memory of learned.memories) {
        memory.version += 1;
        this.#finder.settle(memory);
        this.#finder.look(memory);
      }
      this.#memories.trim();
      if (learned.hasNews) this.#options.onLearned?.();
      for (const { key, kind, detail } of learned.history) {
        // Nothing but learnStep() makes the event.
        if (kind === "outlook") this.#options.onOutlook?.(key, detail as unknown as Outlook);
      }
      if (learned.rewarded.length > 0) this.#options.onRewarded?.(learned.rewarded);
      return "some";
    } catch (error) {
      this.#memories.drop();
      if (!(error instanceof OtherVersionError)) throw error;
      this.#complain({ reason: error.message }, "another version of Attune learns: this one waits until it has ended");
      return "other-version";
    }
  }

  async #learn(step: LearningStep): Promise<Learned | "none"> {
    const batches = await step.readBatches(MOST_EVENTS);
    if (batches.length === 0) return "none";
    const events = batches.flatMap((batch) => batch.events);
    const now = (this.#options.now ?? Date.now)();
    const { history, unknown, open, memories, rewarded } = await learnStep(events, step, this.#memories, now);
    for (const memory of memories) this.#finder.hand(memory);
    const hasNews = memories.length > 0 && events.some(({ kind }) => kind !== "served");
    await step.write({
      consumed: batches.map(({ id }) => id),
      putBack: [...this.#putBack(unknown), ...(open === undefined ? [] : [{ ...open, dueAtMs: open.untilMs }])],
      states: memories.map((memory) => toChanged(memory, now)),
      history,
      hasNews,
    });
    return { memories, hasNews, rewarded, history };
  }

  #putBack(unknown: readonly FeedbackEvent[]) {
    const now = (this.#options.now ?? Date.now)();
    const events = unknown.filter(({ atMs }) => now - atMs < GIVEN_UP_MS);
    if (events.length < unknown.length) {
      this.#complain(
        { entries: unknown.length - events.length },
        "feedback on inferences that never came is not learned from",
      );
    }
    if (events.length === 0) return [];
    const youngest = now - Math.max(...events.map(({ atMs }) => atMs));
    return [{ events, dueAtMs: now + Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, youngest / 2)) }];
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#poked();
      await this.#pause(this.#wasLast ? COLLECT_MS : COLLECT_MS + STAND_BACK_MS);
      this.#isPoked = false;
      try {
        let outcome: StepOutcome;
        do {
          if (signal.aborted) return;
          outcome = await this.learn();
          if (outcome !== "none") this.#wasLast = outcome === "some";
          await this.#pause(outcome === "other-version" ? AFTER_OTHER_VERSION_MS : BETWEEN_STEPS_MS);
        } while (outcome === "some");
      } catch (error) {
        if (error instanceof LearningConflict) {
          this.#wasLast = false;
          continue;
        }
        this.#complain({ err: error }, "cannot learn at the moment: what there is to learn waits in the database");
        await this.#pause(AFTER_FAILURE_MS);
      }
    }
  }

  async #poked(): Promise<void> {
    if (this.#isPoked || this.#closing.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, this.#options.pollMs);
    await promise.finally(() => clearTimeout(timer));
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
  }

  #complain(facts: object, message: string): void {
    const now = performance.now();
    if (now - this.#complainedAtMs < COMPLAINT_PERIOD_MS) return;
    this.#complainedAtMs = now;
    this.#options.log.warn(facts, message);
  }
}
