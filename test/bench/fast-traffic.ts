/**
 * Plays workloads whose requests come faster than they are learned of, with the bound on what is not learned yet and
 * without it: what others that are always wrong cost beyond the budget, and how many calls it takes until two others of
 * opposite skills answer most. Simulated; takes some seconds. Usage: node test/bench/fast-traffic.ts
 */
import { FastTraffic } from "../learning/bandit/fast-traffic.ts";
import { quantile } from "../support/quantile.ts";

const STREAMS = 400;
const STEPS = 60;
/** Requests on each state, a tenth of a second apart. */
const SPEEDS = [20, 100, 200];
const LAG_STATES = 3;
const MOST_CALLS = 20_000;

const seeds = Array.from({ length: STREAMS }, (_, seed) => seed);

/** The most that is lost beyond the budget at any time. */
function harm(seed: number, perState: number, isBounded: boolean): number {
  const skills = { only: [0.8, 0, 0] };
  const traffic = new FastTraffic({ skills, perState, lagStates: LAG_STATES, seed, isBounded });
  let most = Number.NEGATIVE_INFINITY;
  for (let step = 0; step < STEPS && !traffic.isAlarmed; step++) {
    traffic.step();
    most = Math.max(most, traffic.beyondBudget);
  }
  return most;
}

/** Calls until the better ones answer three of four. */
function arrival(seed: number, perState: number, isBounded: boolean): number {
  const skills = { poems: [0.5, 0.95, 0.1], sums: [0.5, 0.1, 0.95] };
  const traffic = new FastTraffic({ skills, perState, lagStates: LAG_STATES, seed, isBounded });
  let calls = 0;
  let others = 0;
  while (others < 0.75 * perState && calls < MOST_CALLS) {
    others = traffic.step();
    calls += perState;
  }
  return calls;
}

console.log(
  "| requests a second | bounded | lost beyond the budget: mean, worst | calls until arrived: p50, p90, p98 |",
);
console.log("| --- | --- | --- | --- |");
for (const perState of SPEEDS) {
  for (const isBounded of [false, true]) {
    const harms = seeds.map((seed) => harm(seed, perState, isBounded));
    const arrivals = seeds.map((seed) => arrival(seed, perState, isBounded));
    const mean = harms.reduce((sum, value) => sum + value, 0) / STREAMS;
    const figures = [0.5, 0.9, 0.98].map((part) => quantile(arrivals, part));
    console.log(
      `| ${perState * 10} | ${isBounded ? "yes" : "no"} | ${mean.toFixed(1)}, ${Math.max(...harms).toFixed(1)} | ${figures.join(", ")} |`,
    );
  }
}
