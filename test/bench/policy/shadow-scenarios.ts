import { LEAST_REVIEWED } from "../../../src/vocabulary/improvement.ts";
import { played, type Scenario } from "./scenarios.ts";

/** The judge of a scenario: right in four of five, favouring models by a twentieth. */
const JUDGE = { share: 0.1, accuracy: 0.8, biasSd: 0.05 };
/** The same with another judge as good, whose favors are its own. */
const TWO = { ...JUDGE, secondAccuracy: 0.8 };
const RARE = { observed: 0.05, shadow: JUDGE };

type Played = Parameters<typeof played>[0];

function gaining(id: string, title: string, options: Omit<Played, "base">, least: number): Scenario {
  const run = played({ base: "median", ...options }, false, (report) => [
    { figure: "d", value: report.meanDelta, least },
    { figure: "d @1000", value: report.deltaAt1000 ?? Number.NaN },
    { figure: "worst", value: report.worstDelta },
  ]);
  return { id, title: `${title}, ordinary base`, run };
}

function retaining(
  id: string,
  title: string,
  options: Omit<Played, "base">,
  { mean, worst }: { readonly mean: number; readonly worst: number },
): Scenario {
  const run = played({ base: "best", ...options }, false, (report) => [
    { figure: "d", value: report.meanDelta, least: mean },
    { figure: "worst", value: report.worstDelta, least: worst },
    { figure: "worst @1000", value: report.worstDeltaAt1000 ?? Number.NaN, least: -0.01 },
  ]);
  return { id, title: `${title}, best base`, run };
}

/** The scenarios of shadow trials: feedback on 5% of the answers, cold, and trials for a tenth, unless said. */
export const SHADOW_SCENARIOS: readonly Scenario[] = [
  gaining("S1", "trials", RARE, 0.038),
  gaining("S1T", "trials, two judges", { ...RARE, shadow: TWO }, 0.038),
  retaining("S2T", "trials, two judges", { ...RARE, shadow: TWO }, { mean: -0.001, worst: -0.01 }),
  retaining("S2", "trials", RARE, { mean: -0.001, worst: -0.01 }),
  gaining("S5B", "trials, complete feedback", { shadow: JUDGE }, 0.085),
  retaining("S5A", "trials, complete feedback", { shadow: JUDGE }, { mean: 0, worst: -0.004 }),
  retaining(
    "S6",
    "trials, a judge of strong favors",
    { ...RARE, shadow: { ...JUDGE, biasSd: 0.15 } },
    { mean: -0.002, worst: -0.015 },
  ),
  gaining("S7", "trials, complaints only", { complaints: { bad: 0.1, good: 0 }, shadow: JUDGE }, 0.018),
  retaining(
    "S7A",
    "trials, complaints only",
    { complaints: { bad: 0.1, good: 0 }, shadow: JUDGE },
    { mean: -0.001, worst: -0.01 },
  ),
  {
    id: "S8",
    title: "trials, a useless judge, best base",
    run: played({ base: "best", observed: 0.05, shadow: { ...JUDGE, accuracy: 0.5 } }, false, (report) => [
      { figure: "d", value: report.meanDelta, least: -0.002 },
      { figure: "trials", value: report.shadowCalls, most: 0.05 },
    ]),
  },
  gaining("S9B", "trials, feedback on 2%", { observed: 0.02, shadow: JUDGE }, 0.03),
  retaining("S9A", "trials, feedback on 2%", { observed: 0.02, shadow: JUDGE }, { mean: -0.003, worst: -0.015 }),
];

const MONTH = { ...RARE, backfill: { history: 2000, most: 1000, review: 0 } };
/** As many pairs as let one judge grade more than 300. */
const REVIEWED = { ...RARE, backfill: { ...MONTH.backfill, review: LEAST_REVIEWED } };
const LOOKED = { ...RARE, backfill: { ...MONTH.backfill, review: 50 } };

function asking(most: number): Omit<Played, "base"> {
  return { ...RARE, backfill: { ...MONTH.backfill, most } };
}

/** A month of 2,000 requests on base alone, of which other models are asked for some before the stream begins. */
export const BACKFILL_SCENARIOS: readonly Scenario[] = [
  gaining("K1", "300 recorded requests asked", asking(300), 0.07),
  gaining("K2", "1,000 recorded requests asked, 20 pairs judged", REVIEWED, 0.082),
  gaining("K4", "1,000 asked, 50 pairs judged", LOOKED, 0.087),
  retaining("K5", "1,000 asked, 50 pairs judged", LOOKED, { mean: 0.008, worst: -0.006 }),
  gaining("K1T", "300 asked, two judges", { ...asking(300), shadow: TWO }, 0.07),
  gaining("K2T", "1,000 asked, two judges", { ...MONTH, shadow: TWO }, 0.082),
  gaining("K4T", "1,000 asked, 50 pairs judged, two judges", { ...LOOKED, shadow: TWO }, 0.087),
  retaining(
    "K5T",
    "1,000 asked, 50 pairs judged, two judges",
    { ...LOOKED, shadow: TWO },
    { mean: 0.008, worst: -0.006 },
  ),
  {
    id: "K8T",
    title: "1,000 may be asked, two useless judges, best base",
    run: played({ base: "best", ...MONTH, shadow: { ...TWO, accuracy: 0.5, secondAccuracy: 0.5 } }, false, (report) => [
      { figure: "d", value: report.meanDelta, least: -0.001 },
      { figure: "trials", value: report.shadowCalls, most: 0.05 },
    ]),
  },
  {
    id: "K7",
    title: "1,000 asked, 50 pairs judged, a judge of strong favors, best base",
    run: played({ base: "best", ...LOOKED, shadow: { ...JUDGE, biasSd: 0.15 } }, false, (report) => [
      { figure: "d @1000", value: report.deltaAt1000 ?? Number.NaN, least: -0.003 },
      { figure: "worst", value: report.worstDelta, least: -0.02 },
    ]),
  },
  {
    id: "K8",
    title: "1,000 may be asked, a useless judge, best base",
    run: played({ base: "best", ...MONTH, shadow: { ...JUDGE, accuracy: 0.5 } }, false, (report) => [
      { figure: "d", value: report.meanDelta, least: -0.001 },
      { figure: "trials", value: report.shadowCalls, most: 0.05 },
    ]),
  },
  {
    id: "K9",
    title: "100 recorded requests asked, ordinary base",
    run: played({ base: "median", ...asking(100) }, false, (report) => [
      { figure: "d @1000", value: report.deltaAt1000 ?? Number.NaN, least: 0.035 },
    ]),
  },
  {
    id: "K10",
    title: "1,000 recorded requests asked, 20 pairs judged, best base",
    run: played({ base: "best", ...REVIEWED }, false, (report) => [
      { figure: "trials' bill", value: report.trialCostRatio ?? Number.NaN, most: 0.13 },
    ]),
  },
];
