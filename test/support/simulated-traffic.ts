import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import { createCatalog } from "../../src/catalog/catalog.ts";
import type { Optimizations } from "../../src/catalog/model.ts";
import { type ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { createHubInput } from "../../src/hub/input.ts";
import { StrategyMachine, type StrategyStep } from "../../src/inference/attempts/strategy.ts";
import type { AttemptRecord, AttemptRole, Origin } from "../../src/inference/ports.ts";
import { createRandom } from "../../src/lib/hash.ts";
import { createRouting, type Routing } from "../../src/routing/routing.ts";
import { planContext } from "./plan-context.ts";
import { stubModel, stubUpstream } from "./stub-upstream.ts";

/** How a call of a place turns out: with a first token after so long, or a failure after so long. */
export type CallOutcome =
  | { readonly firstTokenMs: number; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly failsAfterMs: number;
      readonly reason: ErrorReason;
      readonly retryAfterMs?: number;
      /** Whether the first token had come by then, after this time. */
      readonly firstTokenMs?: number;
    };

/** Traffic to one model. */
export interface Traffic {
  /** Inferences a second, on average, arriving as independent callers' do. */
  readonly rate: number;
  readonly seconds: number;
  /** Seconds at the beginning that are not counted. */
  readonly warmUpSeconds: number;
  readonly seed: string;
  readonly optimizations: Optimizations;
  /** What each place does with a call, in the order of the configuration. */
  readonly places: readonly ((nowMs: number) => CallOutcome)[];
}

/** What callers noticed. */
export interface TrafficReport {
  readonly inferences: number;
  readonly failed: number;
  /** Failed after their first token: nobody could save them. */
  readonly brokenLate: number;
  readonly calls: number;
  readonly hedges: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Calls of each place. */
  readonly callsOf: readonly number[];
}

/** From the first token to the end of an answer. */
const REST_MS = 40;

/**
 * Runs routing and strategies on a clock of their own, so that minutes of traffic take no time and come out the same
 * each time.
 */
export function simulateTraffic(traffic: Traffic): TrafficReport {
  return new Simulation(traffic).run();
}

interface Inference {
  readonly id: string;
  readonly startMs: number;
  readonly machine: StrategyMachine;
  readonly isCounted: boolean;
  readonly places: readonly Origin[];
  readonly attempts: Map<number, { readonly startMs: number; readonly role: AttemptRole; firstTokenMs?: number }>;
}

class Simulation {
  readonly #traffic: Traffic;
  readonly #routing: Routing;
  readonly #random: () => number;
  /** What happens, and when; soonest first. */
  readonly #agenda: { readonly atMs: number; readonly happens: () => void }[] = [];
  readonly #times: number[] = [];
  readonly #callsOf: number[];
  readonly #counts = { inferences: 0, failed: 0, brokenLate: 0, hedges: 0 };
  #nowMs = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
    this.#random = createRandom(`${traffic.seed}-arrivals`);
    this.#callsOf = traffic.places.map(() => 0);
    const deployments = traffic.places.map((_, index) => ({ upstream: `${index}`, model: "m" }));
    const model = {
      ...stubModel,
      name: "m",
      family: "chat" as const,
      deployments,
      optimizations: traffic.optimizations,
    };
    this.#routing = createRouting({
      catalog: createCatalog([model], "attune"),
      upstreams: new Map(deployments.map(({ upstream }) => [upstream, stubUpstream(upstream, [])])),
      sandboxes: new Set(),
      shares: { failover: 0.1, hedging: 0.02, retry: 0.1 },
      now: () => this.#nowMs,
    });
  }

  run(): TrafficReport {
    this.#arrive(0);
    for (let next = this.#agenda.shift(); next !== undefined; next = this.#agenda.shift()) {
      this.#nowMs = next.atMs;
      next.happens();
    }
    const times = this.#times.sort((a, b) => a - b);
    const quantile = (part: number): number => times[Math.floor(part * times.length)] ?? Number.NaN;
    return {
      ...this.#counts,
      calls: this.#callsOf.reduce((sum, calls) => sum + calls, 0),
      callsOf: this.#callsOf,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
    };
  }

  #at(atMs: number, happens: () => void): void {
    let index = this.#agenda.length;
    while (index > 0 && (this.#agenda[index - 1]?.atMs ?? 0) > atMs) index -= 1;
    this.#agenda.splice(index, 0, { atMs, happens });
  }

  #arrive(number: number): void {
    const { rate, seconds, warmUpSeconds } = this.#traffic;
    const atMs = this.#nowMs - (Math.log(1 - this.#random()) / rate) * 1000;
    if (atMs > (warmUpSeconds + seconds) * 1000) return;
    this.#at(atMs, () => {
      this.#begin(`${this.#traffic.seed}-${number}`);
      this.#arrive(number + 1);
    });
  }

  #begin(id: string): void {
    const { router } = this.#routing;
    const input = createHubInput({ model: "attune/m", dialect: Dialect.CHAT });
    const { strategy } = router.plan(input, planContext({ inferenceId: id, streamed: true }));
    const inference: Inference = {
      id,
      startMs: this.#nowMs,
      machine: new StrategyMachine(strategy, router.mayBegin),
      isCounted: this.#nowMs >= this.#traffic.warmUpSeconds * 1000,
      places: strategy.attempts.map(({ upstream, deployment }) => ({
        upstream: upstream.name,
        model: deployment.model,
      })),
      attempts: new Map(),
    };
    if (inference.isCounted) this.#counts.inferences += 1;
    this.#do(inference, inference.machine.begin());
  }

  #do(inference: Inference, steps: readonly StrategyStep[]): void {
    for (const step of steps) {
      if (step.kind === "begin") this.#call(inference, step.attempt, step.role);
      else if (step.kind === "wait")
        this.#at(this.#nowMs + step.ms, () => this.#do(inference, inference.machine.waited()));
      else if (step.kind === "cancel") this.#end(inference, step.attempt, "canceled");
      else if (inference.isCounted) this.#counts.failed += 1;
    }
  }

  #call(inference: Inference, attempt: number, role: AttemptRole): void {
    const place = inference.places[attempt] as Origin;
    const index = Number(place.upstream);
    const outcome = this.#traffic.places[index]?.(this.#nowMs);
    if (outcome === undefined) throw new Error(`there is no place ${index}`);
    inference.attempts.set(attempt, { startMs: this.#nowMs, role });
    this.#routing.watch.began(place, { role, position: inference.attempts.size - 1 });
    if (inference.isCounted) {
      this.#callsOf[index] = (this.#callsOf[index] ?? 0) + 1;
      if (role === "hedge") this.#counts.hedges += 1;
    }
    const startMs = this.#nowMs;
    if (outcome.firstTokenMs !== undefined)
      this.#at(startMs + outcome.firstTokenMs, () => this.#answer(inference, attempt, outcome));
    if ("failsAfterMs" in outcome)
      this.#at(startMs + outcome.failsAfterMs, () => this.#fail(inference, attempt, outcome));
  }

  #answer(inference: Inference, attempt: number, outcome: CallOutcome): void {
    const begun = inference.attempts.get(attempt);
    if (begun === undefined) return;
    const afterMs = this.#nowMs - begun.startMs;
    begun.firstTokenMs = afterMs;
    const place = inference.places[attempt] as Origin;
    const upstreamHeaders = "headers" in outcome ? (outcome.headers ?? {}) : {};
    this.#routing.watch.answered({ place, afterMs, upstreamHeaders }, factsOf(inference));
    this.#do(inference, inference.machine.answered(attempt));
    if (inference.isCounted) this.#times.push(this.#nowMs - inference.startMs);
    if (!("failsAfterMs" in outcome)) this.#at(this.#nowMs + REST_MS, () => this.#end(inference, attempt, "completed"));
  }

  #fail(inference: Inference, attempt: number, outcome: Extract<CallOutcome, { reason: ErrorReason }>): void {
    if (!inference.attempts.has(attempt)) return;
    const { retryAfterMs } = outcome;
    const error = new InferenceError(outcome.reason, "simulated", retryAfterMs === undefined ? {} : { retryAfterMs });
    if (inference.isCounted && inference.machine.winner === attempt) this.#counts.brokenLate += 1;
    this.#end(inference, attempt, "failed", error);
    this.#do(inference, inference.machine.failed(attempt, { error, isRefused: false }));
  }

  #end(inference: Inference, attempt: number, outcome: AttemptRecord["outcome"], error?: InferenceError): void {
    const begun = inference.attempts.get(attempt);
    const place = inference.places[attempt];
    if (begun === undefined || place === undefined) return;
    inference.attempts.delete(attempt);
    const record: AttemptRecord = {
      upstream: place.upstream,
      upstreamModel: place.model,
      upstreamRequestId: "",
      role: begun.role,
      startedAt: new Date(begun.startMs),
      startedAfterMs: begun.startMs - inference.startMs,
      firstTokenMs: begun.firstTokenMs,
      latencyMs: this.#nowMs - begun.startMs,
      outcome,
      isWinner: inference.machine.winner === attempt,
      error,
      isEstimated: false,
      losses: [],
      propensity: 1,
    };
    this.#routing.watch.ended(record, factsOf(inference));
  }
}

function factsOf({ id }: Inference) {
  return { id, model: "m", streamed: true };
}
