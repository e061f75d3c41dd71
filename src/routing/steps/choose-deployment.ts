import { hashTexts } from "../../lib/hash.ts";
import type { DeploymentTarget } from "../deployment-target.ts";
import type { PlaceHealth } from "../health/health-tracker.ts";

/** A place and what is known of it. */
export interface Candidate {
  readonly place: DeploymentTarget;
  readonly health: PlaceHealth;
}

/** An order of places, and how it came about. */
export interface Choice {
  /** Best first. */
  readonly order: readonly Candidate[];
  /** Probability with which the first one came first, 0 to 1. */
  readonly propensity: number;
  readonly by: "deployment-choice" | "cache-affinity";
}

/**
 * The factor of a deployment without recent samples: it is taken to be a little better than the best, so that it is
 * tried again.
 */
const HOPE = 0.9;
/** Below this trust one call at a time finds out. */
const DOUBTED = 0.3;
/** A place that just came back counts as so much slower. */
const RETURN_PENALTY = 9;
/** Below this part of its limits a place is spared. */
const SCARCE = 0.2;
const SCARCE_PENALTY = 5;
/** The load of a deployment, as a multiple of the average, from which its prefixes go elsewhere. */
const BOUNDED_LOAD = 1.25;
/** So many in flight are no load for any place. */
const SMALL_LOAD = 8;
/** The slowdown of a deployment against the best, on average, that is tolerated. */
const TOO_SLOW = 4;
/** The penalty of a slower one, which is asked only where nothing else is left. */
const TOO_SLOW_PENALTY = 1000;

/**
 * Orders places that are equal but for price and speed. A prompt that a cache may hold goes where its prefix went
 * before (rendezvous hashing), unless that place has more than its share to do or is far slower than others; any other
 * goes to the better of two that are drawn. Places that failed of late come last.
 */
export function choosePlace(
  candidates: readonly Candidate[],
  { prefixKey, random }: { readonly prefixKey: number | undefined; readonly random: () => number },
): Choice {
  const healthy = candidates.filter(({ health }) => !health.isOut);
  const eligible = healthy.length === 0 ? candidates : healthy;
  const scores = new Map(scored(candidates));
  const scoreOf = (candidate: Candidate): number => scores.get(candidate) ?? 0;
  const keeper = prefixKey === undefined ? undefined : getKeeper(eligible, prefixKey);
  const { first, propensity } =
    keeper === undefined ? betterOfTwo(eligible, scoreOf, random) : { first: keeper, propensity: 1 };
  const isOut = ({ health }: Candidate): number => (health.isOut ? 1 : 0);
  const others = candidates
    .filter((candidate) => candidate !== first)
    .sort((a, b) => isOut(a) - isOut(b) || scoreOf(a) - scoreOf(b));
  const order = first === undefined ? others : [first, ...others];
  return { order, propensity, by: keeper === undefined ? "deployment-choice" : "cache-affinity" };
}

/** The lower the better: the time to be expected, times what else weighs. */
function* scored(candidates: readonly Candidate[]): Generator<[Candidate, number]> {
  const known = candidates.flatMap(({ health }) => health.peakMs ?? []);
  const best = known.length === 0 ? 1 : Math.min(...known);
  const slowest = getSlowest(candidates);
  for (const candidate of candidates) {
    const { place, health } = candidate;
    const { peakMs = 0, trust, inFlight, returned, headroom } = health;
    const ms = Math.max(peakMs * trust, best * HOPE);
    const queue = (inFlight + 1) ** (health.peakMs !== undefined && trust < DOUBTED ? 2 : 1);
    const coming = 1 + RETURN_PENALTY * (1 - returned);
    const scarce = 1 + SCARCE_PENALTY * Math.max(0, 1 - headroom / SCARCE);
    const slow = isTooSlow(candidate, slowest) ? TOO_SLOW_PENALTY : 1;
    yield [candidate, ms * queue * place.relativePrice * coming * scarce * slow];
  }
}

/** Average time, times price. */
function getMean({ place, health }: Candidate): number | undefined {
  return health.meanMs === undefined ? undefined : health.meanMs * place.relativePrice;
}

/** Returns the greatest mean time of a deployment that is asked while others do better. */
function getSlowest(candidates: readonly Candidate[]): number {
  const means = candidates.flatMap((candidate) => (candidate.health.isOut ? [] : (getMean(candidate) ?? [])));
  return means.length < 2 ? Number.POSITIVE_INFINITY : TOO_SLOW * Math.min(...means);
}

/**
 * Tells whether a place is too slow to be asked. Much in flight elsewhere is no reason: upstreams answer many at a
 * time. When that it is slow is no longer believed, one call at a time finds out.
 */
function isTooSlow(candidate: Candidate, slowest: number): boolean {
  const { inFlight, trust } = candidate.health;
  const mean = getMean(candidate) ?? 0;
  return mean > slowest && (inFlight > 0 || mean * trust > slowest);
}

/** Draws two and takes the better one; of equals the one that is configured first. */
function betterOfTwo(eligible: readonly Candidate[], scoreOf: (candidate: Candidate) => number, random: () => number) {
  const ranked = [...eligible].sort((a, b) => scoreOf(a) - scoreOf(b));
  const count = ranked.length;
  if (count < 2) return { first: ranked[0], propensity: 1 };
  const one = Math.floor(random() * count);
  const another = Math.floor(random() * (count - 1));
  const rank = Math.min(one, another < one ? another : another + 1);
  // It wins against each that ranks below it.
  return { first: ranked[rank], propensity: (count - 1 - rank) / ((count * (count - 1)) / 2) };
}

/** Returns the place that keeps a prefix; undefined if none of them should now. */
function getKeeper(eligible: readonly Candidate[], prefixKey: number): Candidate | undefined {
  const inFlight = eligible.reduce((total, { health }) => total + health.inFlight, 0);
  const most = Math.max(SMALL_LOAD, Math.ceil((BOUNDED_LOAD * (inFlight + 1)) / eligible.length));
  const means = eligible.flatMap(({ health }) => health.meanMs ?? []);
  const slow = means.length < 2 ? Number.POSITIVE_INFINITY : TOO_SLOW * Math.min(...means);
  const key = `${prefixKey}`;
  let kept: Candidate | undefined;
  let highest = -1;
  for (const candidate of eligible) {
    const { place, health } = candidate;
    if (health.inFlight >= most || (health.meanMs ?? 0) > slow || health.returned !== 1) continue;
    const weight = hashTexts([key, place.upstream.name, place.deployment.model]);
    if (weight <= highest) continue;
    highest = weight;
    kept = candidate;
  }
  return kept;
}
