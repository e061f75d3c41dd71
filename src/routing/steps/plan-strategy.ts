import type { CatalogModel, Optimizations } from "../../catalog/model.ts";
import type { CandidatesStrategy, CheckAnswer, Origin, PlannedAttempt, Strategy } from "../../inference/ports.ts";
import type { DeploymentTarget } from "../deployment-target.ts";
import type { HealthSnapshot } from "../health/health-tracker.ts";
import { type Candidate, type Choice, choosePlace } from "./choose-deployment.ts";

/** All that a strategy depends on: with the same facts, it is the same. */
export interface PlanFacts {
  readonly model: CatalogModel;
  /** The model's deployments, in the order of the configuration. */
  readonly places: readonly DeploymentTarget[];
  /** The optimisations beyond asking the first deployment. */
  readonly optimizations: Pick<Optimizations, "choice" | "failover" | "hedging">;
  readonly streamed: boolean;
  /** The check that the answer has to pass; undefined if it is returned as it comes. */
  readonly check?: CheckAnswer | undefined;
  /** The candidates, and the choice among them; undefined if one answer is asked for. */
  readonly candidates?: Candidates | undefined;
  /** The maker of the latest opaque state in the conversation. */
  readonly origin: Origin | undefined;
  /** The key of prompts that begin alike; undefined if no cache holds it. */
  readonly prefixKey: number | undefined;
  readonly health: HealthSnapshot;
  /** Milliseconds after which a silent stream is one of the slowest of its model; undefined if that is not known. */
  readonly slowAfterMs: number | undefined;
  /** Draws a number from 0 to below 1. */
  readonly random: () => number;
}

/** The parts of a strategy of several candidates. */
export type Candidates = Pick<CandidatesStrategy, "count" | "judge" | "choose">;

/** A strategy, and what of it is not plain. */
export interface Planned {
  readonly strategy: Strategy;
  /** Names for `attune-optimizations`. */
  readonly optimizations: readonly string[];
}

/**
 * Plans an inference over the places of its model. A conversation with opaque state goes to the place that made it
 * first, the only one that can read it, and is not hedged. A stream that may go to two healthy places has the second
 * one asked where the first is slow, unless its answer is to be checked: nobody waits for the first words of what is
 * kept back. Candidates are asked for at as many healthy places as there are, best first, and then at these again.
 */
export function planStrategy(facts: PlanFacts): Planned {
  const { places, optimizations, streamed, slowAfterMs, check } = facts;
  const candidates = getCandidates(facts);
  const maker = candidates.find(({ place }) => isMaker(place, facts.origin));
  const { order, propensity, by } = getOrder(candidates, maker, facts);
  const tried = optimizations.failover ? order : order.slice(0, 1);
  const attempts = tried.map(({ place }, index) => toAttempt(place, facts.model, index === 0 ? propensity : 1));
  const isChosen = maker === undefined && by !== undefined && order[0]?.place !== places[0];
  const named = isChosen ? [by] : [];
  if (facts.candidates !== undefined) {
    const usable = attempts.filter((_, index) => mayServeAgain(tried[index], maker));
    return { strategy: toCandidates(facts.candidates, attempts, usable), optimizations: named };
  }
  if (check !== undefined) {
    const again = attempts.filter((_, index) => mayServeAgain(tried[index], maker));
    return { strategy: { kind: "checked", attempts, again, check }, optimizations: named };
  }
  const second = tried[1];
  if (!optimizations.hedging || !streamed || maker !== undefined || slowAfterMs === undefined || second === undefined)
    return { strategy: { kind: "sequence", attempts }, optimizations: named };
  if (second.health.isOut) return { strategy: { kind: "sequence", attempts }, optimizations: named };
  return { strategy: { kind: "hedged", attempts, afterMs: slowAfterMs }, optimizations: named };
}

function toCandidates(
  candidates: Candidates,
  attempts: readonly PlannedAttempt[],
  usable: readonly PlannedAttempt[],
): CandidatesStrategy {
  const places = usable.length > 0 ? usable : attempts.slice(0, 1);
  const { count } = candidates;
  const first = Array.from({ length: places.length === 0 ? 0 : count }, (_, index) => places[index % places.length]);
  const firstPlaces = first.filter((place) => place !== undefined);
  return {
    kind: "candidates",
    ...candidates,
    attempts: [...firstPlaces, ...attempts.filter((place) => !firstPlaces.includes(place))],
  };
}

/**
 * Returns whether a deployment may be asked again: the one that reads the conversation's opaque state, else any that is
 * healthy.
 */
function mayServeAgain(candidate: Candidate | undefined, maker: Candidate | undefined): boolean {
  return candidate !== undefined && (maker === undefined ? !candidate.health.isOut : candidate === maker);
}

function getCandidates({ places, health, streamed }: PlanFacts): readonly Candidate[] {
  return places.map((place) => {
    const origin = { upstream: place.upstream.name, model: place.deployment.model };
    return { place, health: health.healthOf(origin, streamed) };
  });
}

function getOrder(
  candidates: readonly Candidate[],
  maker: Candidate | undefined,
  { optimizations, prefixKey, random }: PlanFacts,
): Pick<Choice, "order" | "propensity"> & { readonly by: Choice["by"] | undefined } {
  const others = candidates.filter((candidate) => candidate !== maker);
  const first = maker === undefined ? [] : [maker];
  if (optimizations.choice && others.length > 1) {
    const choice = choosePlace(others, { prefixKey, random });
    return { ...choice, order: [...first, ...choice.order], propensity: maker === undefined ? choice.propensity : 1 };
  }
  const sorted = optimizations.failover
    ? [...others].sort((a, b) => Number(a.health.isOut) - Number(b.health.isOut))
    : others;
  return { order: [...first, ...sorted], propensity: 1, by: undefined };
}

function isMaker({ upstream, deployment }: DeploymentTarget, origin: Origin | undefined): boolean {
  return upstream.name === origin?.upstream && deployment.model === origin.model;
}

/** Returns a place as it is asked for a model. */
export function toAttempt(
  { upstream, deployment }: DeploymentTarget,
  model: CatalogModel,
  propensity: number,
): PlannedAttempt {
  const contextWindow = deployment.contextWindow ?? model.contextWindow;
  return { model, upstream, deployment, contextWindow, propensity };
}
