import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModel } from "../catalog/model.ts";
import type { Upstream, UpstreamKeyReport } from "../hub/upstream.ts";
import type { AttemptRole, AttemptWatch, Origin, PlannedAttempt, Router } from "../inference/ports.ts";
import type { WorkloadCachePort } from "../learning/workload.ts";
import { FirstTokenTimes } from "./health/first-token-times.ts";
import { type HealthReport, HealthTracker } from "./health/health-tracker.ts";
import { PrefixReuse } from "./health/prefix-reuse.ts";
import { healthyPlace } from "./healthy-place.ts";
import { createRouter } from "./router.ts";
import type { RoutingSnapshot } from "./routing-snapshot.ts";
import type { SessionChoices } from "./session-choices.ts";

/** Limits calls of upstreams beyond one for each inference, so that trouble does not become a storm. */
export class CallBudget {
  readonly #share: number;
  readonly #reserve: number;
  #calls: number;

  /**
   * `share` is how many further calls each inference allows for, such as 0.1; `reserve` how many may be saved up, and
   * `calls` how many may be made before any inference has begun.
   */
  constructor(share: number, { reserve, calls }: { readonly reserve: number; readonly calls: number }) {
    this.#share = share;
    this.#reserve = reserve;
    this.#calls = share === 0 ? 0 : calls;
  }

  /** An inference has begun. */
  deposit(): void {
    this.#calls = Math.min(this.#calls + this.#share, this.#reserve);
  }

  /** Takes a further call, if one is left. */
  take(): boolean {
    if (this.#calls < 1) return false;
    this.#calls -= 1;
    return true;
  }
}

/** The options of routing. */
interface RoutingOptions {
  readonly catalog: Catalog;
  /** Upstreams by their names in the configuration. */
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** Names of the upstreams that take test directives. */
  readonly sandboxes: ReadonlySet<string>;
  /** The learned workloads; without them, every model answers for itself. */
  readonly workloads?: WorkloadCachePort | undefined;
  /** The choices of sessions; absent: each request is decided for itself. */
  readonly sessions?: SessionChoices | undefined;
  /** Tells which places have proved to serve another model; absent: none has. */
  readonly isDifferent?: RoutingSnapshot["isDifferent"];
  /** Names of the optimisations that a project has switched off; none if absent. */
  readonly optimizationsOff?: ((projectId: string) => ReadonlySet<string>) | undefined;
  /** Returns the model that a project calls by a name of its own; none if absent. */
  readonly aliasOf?: RoutingSnapshot["aliasOf"];
  /** Calls beyond the first one for an inference, as parts of the inferences. */
  readonly shares: { readonly failover: number; readonly hedging: number; readonly retry: number };
  /** Holds texts of answers against schemas; absent: no answer is checked. */
  readonly judge?: RoutingSnapshot["judge"];
  /** A steady clock in milliseconds. */
  readonly now: () => number;
}

/** A place, and what this process knows of it. */
interface PlaceReport {
  /** Names of the models that are served there, without the prefix. */
  readonly models: readonly string[];
  /** True if all of them make embeddings, and answer nothing. */
  readonly embeddings: boolean;
  readonly upstream: string;
  readonly upstreamModel: string;
  /** As of streamed answers. */
  readonly health: HealthReport;
}

/** A key of an upstream, and what this process knows of it. */
interface KeyReport extends UpstreamKeyReport {
  readonly upstream: string;
}

/** Routing of this process: what plans, and what watches how plans turn out. */
export interface Routing {
  readonly router: Router;
  readonly watch: AttemptWatch;
  /** Returns a model's first place that calls in the background may ask; undefined where none may be asked. */
  healthyPlace(model: CatalogModel): PlannedAttempt | undefined;
  /** All configured places. */
  places(): readonly PlaceReport[];
  /** The keys of the upstreams that have several. */
  keys(): readonly KeyReport[];
}

/**
 * A stream is slow that has said nothing for longer than this part of its model's streams took to their first token.
 */
const SLOW = 0.95;
/** Below this a second call would be wasted: nobody waits for less. */
const LEAST_SLOW_MS = 50;
/**
 * Failovers that may be made at once beyond their share: a process with little to do has to be able to move on as well.
 */
const FAILOVERS = { reserve: 100, calls: 100 };
/** Second answers that may be asked for at once beyond their share. */
const RETRIES = { reserve: 100, calls: 100 };
/** Hedges are saved up, and never more than their share: nothing fails without them. */
const HEDGES = { reserve: 10, calls: 0 };

const NONE: ReadonlySet<string> = new Set();

/** Creates the routing of a process. */
export function createRouting({ optimizationsOff = () => NONE, shares, now, ...known }: RoutingOptions): Routing {
  const { catalog } = known;
  const places = new HealthTracker(now, ({ upstream, model }) =>
    known.upstreams.get(upstream)?.keys?.headroomOf(model),
  );
  const reported = getPlaces(catalog);
  const times = new FirstTokenTimes();
  const budgets = {
    failover: new CallBudget(shares.failover, FAILOVERS),
    hedge: new CallBudget(shares.hedging, HEDGES),
    retry: new CallBudget(shares.retry, RETRIES),
  };
  const slowAfterMs = (model: string): number | undefined => {
    const ms = times.quantile(model, SLOW);
    return ms === undefined ? undefined : Math.max(ms, LEAST_SLOW_MS);
  };
  // Candidates are what the caller has asked for: nothing that has to be kept from growing into a storm.
  const mayBegin = (role: AttemptRole): boolean => role === "primary" || role === "candidate" || budgets[role].take();
  return {
    router: createRouter({
      ...known,
      optimizationsOff,
      health: places,
      slowAfterMs,
      mayBegin,
      reuse: new PrefixReuse(now),
    }),
    healthyPlace: (model) => healthyPlace(model, { ...known, health: places }),
    places: () =>
      reported.map(({ place, models, embeddings }) => ({
        models,
        embeddings,
        upstream: place.upstream,
        upstreamModel: place.model,
        health: places.reportOf(place),
      })),
    keys: () =>
      [...known.upstreams.values()].flatMap(({ name, keys }) =>
        (keys?.report() ?? []).map((key) => ({ upstream: name, ...key })),
      ),
    watch: {
      began(place, { position }) {
        places.began(place);
        if (position > 0) return;
        budgets.failover.deposit();
        budgets.hedge.deposit();
        budgets.retry.deposit();
      },
      answered(answer, inference) {
        places.answered(answer, inference);
        if (inference.streamed) times.observe(inference.model, answer.afterMs);
      },
      ended(attempt, inference) {
        places.ended(attempt, inference);
        // It would have taken longer still: without it, hedging would make what is slow look rare.
        const isSilent = attempt.outcome === "canceled" && attempt.firstTokenMs === undefined;
        const { latencyMs } = attempt;
        const isSlow = latencyMs >= (slowAfterMs(inference.model) ?? Number.POSITIVE_INFINITY);
        if (isSilent && isSlow && inference.streamed) times.observe(inference.model, latencyMs);
      },
    },
  };
}

interface ServedPlace {
  readonly place: Origin;
  readonly models: string[];
  embeddings: boolean;
}

/** Each place once, though several models may be served there. */
function getPlaces(catalog: Catalog): readonly ServedPlace[] {
  const found = new Map<string, ServedPlace>();
  for (const { name, deployments, embeddings = false } of catalog.models) {
    for (const { upstream, model } of deployments) {
      const key = `${upstream}\n${model}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { place: { upstream, model }, models: [name], embeddings });
      else if (!known.models.includes(name)) known.models.push(name);
      if (known !== undefined) known.embeddings &&= embeddings;
    }
  }
  return [...found.values()];
}
