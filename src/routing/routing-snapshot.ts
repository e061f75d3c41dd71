import type { Catalog } from "../catalog/catalog.ts";
import type { Upstream } from "../hub/upstream.ts";
import type { JudgeTextsFor } from "../inference/checks/check-thread.ts";
import type { Origin, Router } from "../inference/ports.ts";
import type { WorkloadCachePort } from "../learning/workload.ts";
import type { HealthSnapshot } from "./health/health-tracker.ts";
import type { PrefixReuse } from "./health/prefix-reuse.ts";
import type { SessionChoices } from "./session-choices.ts";

/** The state of routing that plans are made from. */
export interface RoutingSnapshot {
  readonly catalog: Catalog;
  /** Upstreams by their names in the configuration. */
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** Names of the upstreams that take test directives. */
  readonly sandboxes: ReadonlySet<string>;
  readonly health: HealthSnapshot;
  /** Returns the milliseconds after which a silent stream of a model is a slow one; undefined if that is not known. */
  readonly slowAfterMs: (model: string) => number | undefined;
  /** The workloads that something was learned of; without them, every model answers for itself. */
  readonly workloads?: WorkloadCachePort | undefined;
  /** The choices of sessions; absent: each request is decided for itself. */
  readonly sessions?: SessionChoices | undefined;
  readonly reuse: PrefixReuse;
  /**
   * Tells whether a place has proved to serve another model than it is declared to, so that it is not asked; absent:
   * none has.
   */
  readonly isDifferent?: ((model: string, place: Origin) => boolean) | undefined;
  /** Names of the optimisations that a project has switched off. */
  readonly optimizationsOff: (projectId: string) => ReadonlySet<string>;
  /** Returns the name of the model that a project calls by a name of its own; absent: no project has such names. */
  readonly aliasOf?: ((projectId: string, name: string) => string | undefined) | undefined;
  /** Takes a call beyond the first one for an inference, if one is left. */
  readonly mayBegin: Router["mayBegin"];
  /** Holds answers against schemas, and has webhooks asked; absent: no answer is checked. */
  readonly judge?: JudgeTextsFor | undefined;
}
