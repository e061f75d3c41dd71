import { MetricAccount } from "../../../src/learning/bandit/metric-account.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { POLICY_SETTINGS } from "../../../src/learning/bandit/settings.ts";
import { playGuarded, type Trouble, type Weather } from "../../support/play-guarded.ts";

const PART = 500;
const FROM = 2000;
const CALLS = 6000;
/** A share of a hundred calls that says that the better model has lost its place. */
const LOST = 0.2;

const ofAll = (trouble: (call: number) => Trouble): Weather => {
  return (call) => ({ base: trouble(call), good: trouble(call) });
};
const fromThenOn = (trouble: Trouble) => ofAll((call) => (call >= FROM ? trouble : {}));
const alone = (good: Trouble, base: Trouble = {}): Weather => {
  return (call) => ({ base, good: call >= FROM ? good : base });
};

interface Scene {
  readonly weather: Weather;
  readonly calls?: number;
  readonly alone?: number;
  readonly aloneFailing?: number;
}

/** Scenes of trouble, in which the better model keeps its place if base shares it, and else loses it from FROM on. */
const SCENES: Record<string, Scene> = {
  "all are three times as slow": { weather: fromThenOn({ times: 3 }) },
  "a third of all answers fail, in every fourth 500 calls": {
    weather: ofAll((call) => (Math.floor(call / PART) % 4 === 0 && call >= PART ? { failing: 0.33 } : {})),
    calls: 2 * CALLS,
  },
  "10% of all answers fail": { weather: fromThenOn({ failing: 0.1 }) },
  "20% of all answers fail": { weather: fromThenOn({ failing: 0.2 }) },
  "it alone is three times as slow": { weather: alone({ times: 3 }) },
  "it alone fails in 20%": { weather: alone({ failing: 0.2 }) },
  "it alone fails in 6%": { weather: alone({ failing: 0.06 }) },
  "base fails in 5%, it in 20%": { weather: alone({ failing: 0.2 }, { failing: 0.05 }), aloneFailing: 0.05 },
  "base fails in 5%, it in 12%": { weather: alone({ failing: 0.12 }, { failing: 0.05 }), aloneFailing: 0.05 },
  "a new base fails in 5%, it in 20%": { weather: alone({ failing: 0.2 }, { failing: 0.05 }), alone: 0 },
  "a new base fails in 5%, it in 12%": { weather: alone({ failing: 0.12 }, { failing: 0.05 }), alone: 0 },
  "all fail in 20% before, and it goes on alone": {
    weather: (call) => ({ base: { failing: call < FROM ? 0.2 : 0 }, good: { failing: 0.2 } }),
  },
  "all are three times as slow before, then it thrice as much": {
    weather: (call) => ({ base: { times: 3 }, good: { times: call >= FROM ? 9 : 3 } }),
  },
  "all fail in 20% before, then it in 40%": {
    weather: (call) => ({ base: { failing: 0.2 }, good: { failing: call >= FROM ? 0.4 : 0.2 } }),
  },
};
/** Small workloads in which calls are five times as slow now and then, whoever answers. */
const GUSTS: Record<string, readonly [inRow: number, apart: number]> = {
  "6 slow calls in a row, some 100 apart": [6, 100],
  "20 slow calls in a row, some 300 apart": [20, 300],
  "30 slow calls in a row, some 1,000 apart": [30, 1000],
};

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Plays troubles of all models and of one: the better model's shares from then on, and calls until an account closes. */
export function measureCommonTrouble(streams: number): Record<string, readonly object[]> {
  const seeds = Array.from({ length: streams }, (_, at) => at + 1);
  const scenes = Object.entries(SCENES).map(([trouble, { weather, calls = CALLS, ...before }]) => {
    const shares = seeds.map((seed) => playGuarded(weather, { calls, seed, part: PART, ...before }).slice(FROM / PART));
    const [first, second, third, fourth, ...later] = (shares[0] ?? []).map((_, at) =>
      mean(shares.map((ofStream) => ofStream[at] ?? 0)),
    );
    return { trouble, first, second, third, fourth, later: mean(later), least: Math.min(...shares.flat()) };
  });
  const gusts = Object.entries(GUSTS).map(([trouble, [inRow, apart]]) => {
    const shares = seeds.flatMap((seed) => {
      const slow = drawSlowCalls(seed, inRow, apart);
      const weather = ofAll((call) => ({ times: slow.has(call) ? 5 : 1 }));
      return playGuarded(weather, { calls: FROM, seed, part: 100, alone: 0 }).slice(5);
    });
    return { trouble, share: mean(shares), lost: shares.filter((share) => share < LOST).length / shares.length };
  });
  const accounts = [false, true].map((isCommon) => {
    const calls = seeds.map((seed) => callsUntilClosed(seed, isCommon)).sort((one, other) => one - other);
    const trouble = isCommon ? "20% of all fail before, then 40% of others" : "22% of others fail";
    return { trouble, least: calls[0], median: calls[Math.floor(calls.length / 2)], most: calls.at(-1) };
  });
  return { scenes, gusts, accounts };
}

function drawSlowCalls(seed: number, inRow: number, apart: number): ReadonlySet<number> {
  const random = new SeededRandom(seed + 5000);
  const slow = new Set<number>();
  for (let call = 0; call < FROM; ) {
    call += Math.round(apart * (0.5 + random.uniform()));
    for (let at = 0; at < inRow; at++) slow.add(call++);
  }
  return slow;
}

/** Returns the calls until an account closes once others fail in 20% more than base, which answers 2% of the calls. */
function callsUntilClosed(seed: number, isCommon: boolean): number {
  const account = new MetricAccount(1, POLICY_SETTINGS.guardedAllowance);
  const random = new SeededRandom(seed);
  const answer = (share: number, ofBase: number, ofOthers: number) => {
    const isBase = random.uniform() < (account.shift?.isDoubtful === true ? Math.max(share, 0.2) : share);
    account.add(0, isBase, 1, Number(random.uniform() >= (isBase ? ofBase : ofOthers)));
  };
  const common = isCommon ? 0.2 : 0.02;
  for (let call = 0; call < 3000; call++) answer(1, 0.02, 0.02);
  for (let call = 0; call < 2000; call++) answer(0.02, 0.02, 0.02);
  for (let call = 0; call < 2000; call++) answer(0.02, common, common);
  let calls = 0;
  while (account.hasRoom(POLICY_SETTINGS)) {
    answer(0.02, common, common + 0.2);
    calls += 1;
  }
  return calls;
}
