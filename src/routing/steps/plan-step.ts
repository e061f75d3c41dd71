import {
  type CatalogModel,
  DEFAULT_OPTIMIZATIONS,
  OPTIMIZATION_NAMES,
  type Optimizations,
  withoutOptimizations,
} from "../../catalog/model.ts";
import type { HubInput } from "../../hub/input.ts";
import type { CachedParts } from "../../hub/upstream.ts";
import type { JudgeTexts } from "../../inference/checks/check-thread.ts";
import type { CheckAnswer, Origin, PlanContext } from "../../inference/ports.ts";
import type { LearnedWorkload } from "../../learning/workload.ts";
import type { DeploymentTarget } from "../deployment-target.ts";
import type { RoutingSnapshot } from "../routing-snapshot.ts";
import type { ModelChoice } from "./choose-model.ts";
import type { Found } from "./find-model.ts";
import type { Candidates, Planned } from "./plan-strategy.ts";
import { createPrefixKey } from "./prefix-key.ts";

/** The facts of one request that the steps of its plan read. Those that cost something are functions. */
export interface RequestFacts {
  readonly input: HubInput;
  readonly context: PlanContext;
  readonly found: Found;
  /**
   * Returns what may be done for the request with a model: its configuration, less what project or caller have switched
   * off.
   */
  readonly optimizationsFor: (model: CatalogModel) => Optimizations;
  /** Returns the key of the prompt's beginning for a model; undefined where no cache of the model may hold it. */
  readonly prefixKey: (model: CatalogModel) => number | undefined;
  /** Judges texts in the queue of the request's project; undefined: no answer is checked. */
  readonly judge: JudgeTexts | undefined;
  /** Returns the workload of the request; undefined where nothing is learned. */
  readonly workload: () => LearnedWorkload | undefined;
}

/** A plan as far as the steps before have made it. */
export interface PlanDraft {
  /** Several answers to one request, and how one is chosen; absent where one is asked for. */
  readonly candidates?: Candidates;
  /** The check that the answer has to pass, whichever model gives it. */
  readonly check?: CheckAnswer;
  /** The model that answers by what was learned; absent where nothing is. */
  readonly choice?: ModelChoice;
  readonly planned?: Planned;
  readonly cachedParts?: CachedParts;
  readonly cacheKey?: string;
  readonly prefixKey?: number;
}

/** A step of planning: returns the draft with its own part added. */
export type PlanStep = (draft: PlanDraft, facts: RequestFacts) => PlanDraft;

const ALL_NAMES: ReadonlySet<string> = new Set(OPTIMIZATION_NAMES);

/**
 * Returns what may be done for a request with a model: its configuration, less what project or caller have switched
 * off.
 */
export function optimizationsFor(
  { plain }: HubInput,
  { optimizations = DEFAULT_OPTIMIZATIONS }: CatalogModel,
  off: () => ReadonlySet<string>,
): Optimizations {
  return withoutOptimizations(optimizations, plain ? ALL_NAMES : off());
}

/** Collects the facts of a request. */
export function createRequestFacts(
  request: Pick<RequestFacts, "input" | "context" | "found">,
  { optimizationsOff, workloads, judge }: Pick<RoutingSnapshot, "optimizationsOff" | "workloads" | "judge">,
): RequestFacts {
  const { input, context, found } = request;
  const { projectId } = context.principal;
  const prefixKeys = new Map<CatalogModel, number | undefined>();
  return {
    ...request,
    optimizationsFor: (model) => optimizationsFor(input, model, () => optimizationsOff(projectId)),
    prefixKey(model) {
      if (!prefixKeys.has(model)) prefixKeys.set(model, createPrefixKey(input, model, projectId));
      return prefixKeys.get(model);
    },
    judge: judge && ((texts, signal) => judge(texts, { projectId, signal })),
    workload: () => workloads?.find({ projectId, model: found.model.name }),
  };
}

/**
 * Returns the places of a model without those that have proved to serve another one than they are declared to. The
 * first place stays, since others are compared with it.
 */
export function withoutDifferent(
  { name }: CatalogModel,
  places: readonly DeploymentTarget[],
  isDifferent: ((model: string, place: Origin) => boolean) | undefined,
): readonly DeploymentTarget[] {
  if (isDifferent === undefined || places.length < 2) return places;
  const isEqual = ({ upstream, deployment }: DeploymentTarget, position: number): boolean =>
    position === 0 || !isDifferent(name, { upstream: upstream.name, model: deployment.model });
  return places.every(isEqual) ? places : places.filter(isEqual);
}
