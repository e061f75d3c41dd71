import { singleFlight } from "../lib/single-flight.ts";
import { countedBy, exposeTogether, type SharedMetrics, workersGauge } from "../observability/shared-metrics.ts";
import type { ToWorker } from "./messages.ts";

/** A worker that does not answer in time is left out, so that the others can be seen. */
const ANSWER_MS = 2000;

/** A worker that can be asked. */
export interface MetricsSource {
  send(message: ToWorker): void;
}

interface Question {
  readonly from: MetricsSource;
  readonly answer: (metrics: SharedMetrics | undefined) => void;
}

/** Adds up the metrics of all workers, with what those counted that have ended. */
export class MetricsOfAll {
  readonly #limitMs: number;
  readonly #questions = new Map<number, Question>();
  /** The latest metrics of each worker. */
  readonly #last = new Map<MetricsSource, SharedMetrics>();
  /** The metrics of ended workers, added one after another so that none is left out. */
  #ofEnded: Promise<SharedMetrics> = Promise.resolve([]);
  #nextId = 0;

  constructor(limitMs = ANSWER_MS) {
    this.#limitMs = limitMs;
  }

  add(worker: MetricsSource): void {
    this.#last.set(worker, []);
  }

  /**
   * Keeps what a worker has counted, as far as it is known: what it told when it was asked last, or when it ended in
   * order.
   */
  remove(worker: MetricsSource): void {
    const last = this.#last.get(worker) ?? [];
    this.#last.delete(worker);
    for (const { from, answer } of this.#questions.values()) if (from === worker) answer(undefined);
    // What cannot be added up, as another version may tell it, must not stand in the way of all that is told later.
    this.#ofEnded = this.#ofEnded.then((before) => countedBy([before, last]).catch(() => before));
  }

  /** Takes what a worker tells of itself. */
  told(worker: MetricsSource, metrics: SharedMetrics, id?: number): void {
    if (this.#last.has(worker)) this.#last.set(worker, metrics);
    if (id !== undefined) this.#questions.get(id)?.answer(metrics);
  }

  /**
   * Returns the page of all workers. Each of them works for it, and this process takes no connections meanwhile: askers
   * share it.
   */
  readonly expose: () => Promise<string> = singleFlight(() => this.#makePage());

  async #makePage(): Promise<string> {
    const answers = await Promise.all([...this.#last.keys()].map((worker) => this.#ask(worker)));
    const answered = answers.filter((metrics) => metrics !== undefined);
    return exposeTogether([await this.#ofEnded, ...answered, await workersGauge(answered.length)]);
  }

  #ask(worker: MetricsSource): Promise<SharedMetrics | undefined> {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<SharedMetrics | undefined>();
    const timer = setTimeout(() => resolve(undefined), this.#limitMs);
    this.#questions.set(id, { from: worker, answer: resolve });
    worker.send({ kind: "attune:collect", id });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#questions.delete(id);
    });
  }
}
