import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel } from "../../catalog/model.ts";
import { boundInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import type { PlanContext, PlannedAttempt } from "../../inference/ports.ts";
import type { DeploymentTarget } from "../deployment-target.ts";
import type { Planned } from "./plan-strategy.ts";

/** Places by the model that they serve. */
export type PlacesByModel = ReadonlyMap<CatalogModel, readonly DeploymentTarget[]>;

/** The models that may answer in another one's place. */
interface FallbackModels {
  /** Returns whether there are any for a model. */
  areAny(base: CatalogModel): boolean;
  /** Tells whether sandboxes alone serve a model, of which nothing can be learned. */
  isMadeUp(base: CatalogModel): boolean;
  /** Returns what finds them, and the model itself, by name. */
  finder(base: CatalogModel): (name: string) => CatalogModel | undefined;
}

/**
 * A sandbox never answers for a real model, nor a real model for a sandbox: what the one says is worth nothing to the
 * other's callers.
 */
export function createFallbackModels(places: PlacesByModel, sandboxes: ReadonlySet<string>): FallbackModels {
  const isMadeUp = (model: CatalogModel): boolean =>
    (places.get(model) ?? []).every(({ upstream }) => sandboxes.has(upstream.name));
  const served = [...places].flatMap(([model, { length }]) =>
    length === 0 || model.embeddings === true || model.listed === true ? [] : [model],
  );
  const real = new Map(served.filter((model) => !isMadeUp(model)).map((model) => [model.name, model]));
  const madeUp = new Map(served.filter(isMadeUp).map((model) => [model.name, model]));
  const beside = (base: CatalogModel): ReadonlyMap<string, CatalogModel> => {
    return base.listed === true || real.has(base.name) ? real : madeUp;
  };
  return {
    isMadeUp: (base) => madeUp.has(base.name),
    areAny: (base) => beside(base).size > (base.listed === true ? 0 : 1),
    finder: (base) => (name) => (name === base.name ? base : beside(base).get(name)),
  };
}

/**
 * Returns what tells whether a model takes a request whole: it has room for it, and its first place loses nothing that
 * base's does not.
 */
export function createFitting(
  input: InferenceInput,
  base: CatalogModel,
  { places, context }: { readonly places: PlacesByModel; readonly context: PlanContext },
): (model: CatalogModel) => boolean {
  const lossesOf = (model: CatalogModel): readonly string[] | undefined => {
    const [first] = places.get(model) ?? [];
    return first === undefined ? undefined : context.lossesAt(model, first);
  };
  return (model) => {
    const answer = input.maxOutputTokens ?? 0;
    const prompt = boundInputTokens(input, model);
    if (answer > model.maxOutputTokens || prompt + answer > model.contextWindow) return false;
    if (prompt > (model.maxInputTokens ?? model.contextWindow)) return false;
    const losses = lossesOf(model);
    if (losses === undefined || losses.length === 0) return losses !== undefined;
    const ofBase = new Set(lossesOf(base));
    return losses.every((loss) => ofBase.has(loss));
  };
}

/**
 * Puts what was planned for each of several models together: the calls that are made at once, as often for each as it
 * is asked, and behind them whom their strategies name besides, base's among them.
 */
export function together(planned: readonly Planned[], base: Planned): Planned {
  const strategies = planned.flatMap(({ strategy }) => (strategy.kind === "candidates" ? [strategy] : []));
  const [first] = strategies;
  if (first === undefined) return base;
  const firstAttempts = strategies.flatMap(({ attempts, count }) => attempts.slice(0, count));
  const others = [...strategies.flatMap(({ attempts, count }) => attempts.slice(count)), ...base.strategy.attempts];
  const isFirst = ({ upstream, deployment }: PlannedAttempt): boolean =>
    firstAttempts.some((attempt) => attempt.upstream === upstream && attempt.deployment === deployment);
  const attempts = [...firstAttempts, ...new Set(others.filter((attempt) => !isFirst(attempt)))];
  return {
    strategy: { ...first, attempts, count: firstAttempts.length },
    optimizations: [...new Set(planned.flatMap(({ optimizations }) => optimizations))],
  };
}

/** Puts the places of base behind those of the model that was chosen: where they all fail, it answers after all. */
export function behind(chosen: Planned, base: Planned): Planned {
  const { strategy, optimizations } = chosen;
  if (base.strategy.kind === "candidates") {
    // Who failed once as a candidate is not asked again.
    const places = new Set(base.strategy.attempts);
    return { strategy: { ...strategy, attempts: [...strategy.attempts, ...places] }, optimizations };
  }
  const attempts = [...strategy.attempts, ...base.strategy.attempts];
  if (strategy.kind !== "checked" || base.strategy.kind !== "checked") {
    return { strategy: { ...strategy, attempts }, optimizations };
  }
  return { strategy: { ...strategy, attempts, again: [...strategy.again, ...base.strategy.again] }, optimizations };
}
