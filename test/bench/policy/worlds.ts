import type { ReplayReport } from "../replay/summarise.ts";
import { drawWorld, type World } from "./draw-world.ts";
import { type Bar, PROTOCOL, played, playProtocol, SCENARIOS, type Scenario, type Seeds } from "./scenarios.ts";
import { SHADOW_SCENARIOS } from "./shadow-scenarios.ts";

/** A figure of a scenario over all worlds. */
export interface WorldFigure {
  readonly id: string;
  readonly title: string;
  readonly figure: string;
  readonly mean: number;
  readonly worst: number;
  readonly bar: string;
  /** The share of the worlds that miss the bar. */
  readonly missed: number;
  readonly worstWorld: string;
}

/** The scenarios that need no prompts: those of worlds tell nothing of their family. */
const PLAYED = SCENARIOS.filter(({ id }) => !id.startsWith("B7") && !id.startsWith("B9"));
/** The chance of praise, beside that of a complaint, where people only complain. */
const SILENT_PRAISE = 0;

/** Scenarios by a world's own feedback, judge and drift. */
function ownScenarios({ life, form }: World): Scenario[] {
  const { observed, isComplaintsOnly, driftAt } = life;
  const shadow = { share: 0.1, accuracy: life.judge, biasSd: life.biasSd, familyBiasSd: life.familyBiasSd };
  const options = {
    shadow,
    ...(isComplaintsOnly ? { complaints: { bad: observed, good: SILENT_PRAISE } } : { observed }),
    ...(driftAt !== undefined && { driftAt }),
  };
  const delta = (least: number) => (report: Parameters<Parameters<typeof played>[2]>[0]) => [
    { figure: "d", value: report.meanDelta },
    { figure: "worst", value: report.worstDelta, least },
    { figure: "worst @1000", value: report.worstDeltaAt1000 ?? 0, least },
    { figure: "cost", value: report.costRatio ?? 1, most: Number.POSITIVE_INFINITY },
  ];
  return [
    {
      id: "WB",
      title: "own feedback and judge, ordinary base",
      run: played({ base: "median", ...options }, false, delta(-0.01)),
    },
    {
      id: "WA",
      title: "own feedback and judge, best base",
      run: played({ base: "best", ...options }, false, delta(-0.01)),
    },
    {
      id: "WC",
      title: "own feedback and judge, best base, objective cost",
      run: played({ base: "best", objective: "cost", ...options }, false, delta(-0.01)),
    },
    ...backfillScenarios(form, options, delta(-0.01)),
  ];
}

/** The part of a world's rows that its month is, and the most of these requests that other models are asked for. */
const MONTH_PART = 1 / 3;
const MOST_MONTH = 2000;
const ASKED_PART = 1 / 2;

/** A month on base alone, of which other models are asked for some before the stream of the other rows begins. */
function backfillScenarios(
  { rows }: World["form"],
  options: Omit<Parameters<typeof played>[0], "base">,
  judge: Parameters<typeof played>[2],
): Scenario[] {
  const history = Math.min(MOST_MONTH, Math.floor(MONTH_PART * rows));
  const most = Math.floor(ASKED_PART * history);
  // The stream leaves the month's rows alone.
  const steps = Math.min(PROTOCOL.steps, rows - history);
  const ask = (base: "best" | "median", backfill: { readonly most: number; readonly review: number }) =>
    played({ base, ...options, steps, backfill: { history, ...backfill } }, false, judge);
  const unseen = { most, review: 0 };
  const seen = { most, review: 50 };
  return [
    { id: "WKB", title: "up to 300 recorded requests asked, ordinary base", run: ask("median", unseen) },
    { id: "WKA", title: "up to 300 recorded requests asked, best base", run: ask("best", unseen) },
    { id: "WRB", title: "up to 1,000 asked, 50 pairs judged, ordinary base", run: ask("median", seen) },
    { id: "WRA", title: "up to 1,000 asked, 50 pairs judged, best base", run: ask("best", seen) },
  ];
}

/** What one reward is worth in the scenarios of worth, in prices of base: a model of two prices of base more has to earn .1. */
const WORTH = 20;

/** Rewards less what was paid for them, each answer beside one of base, with the worth stated to the policy and without. */
const WORTH_SCENARIOS: readonly Scenario[] = (["median", "best"] as const).map((base) => ({
  id: base === "best" ? "VA" : "VB",
  title: `a reward is worth ${WORTH} prices of base, ${base === "best" ? "best" : "ordinary"} base`,
  async run(set, seeds) {
    const [stated, silent] = [
      await playProtocol(set, { ...seeds, base, worth: WORTH }),
      await playProtocol(set, { ...seeds, base }),
    ];
    const net = ({ meanDelta, costRatio }: ReplayReport) => meanDelta - ((costRatio ?? 1) - 1) / WORTH;
    return [
      { figure: "net", value: net(stated), least: -0.005 },
      { figure: "net, not stated", value: net(silent), least: -0.005 },
      { figure: "d", value: stated.meanDelta, least: -0.01 },
      { figure: "worst d", value: stated.worstDelta, least: -0.02 },
    ];
  },
}));

/** Returns the scenarios of a world. */
export function scenariosOf(world: World, wanted?: readonly string[]): Scenario[] {
  const all = [...PLAYED, ...SHADOW_SCENARIOS, ...ownScenarios(world), ...WORTH_SCENARIOS];
  return all.filter(({ id }) => wanted?.includes(id) ?? true);
}

/** Draws the worlds of a range of numbers. */
export function drawWorlds(first: number, count: number, mostRows?: number): World[] {
  return Array.from({ length: count }, (_, index) => drawWorld(first + index, mostRows));
}

/** Plays scenarios in each world. */
export async function playWorlds(
  worlds: readonly World[],
  seeds: Seeds,
  wanted?: readonly string[],
  onWorld: (name: string) => void = () => {},
): Promise<WorldFigure[]> {
  const figures = new Map<string, { scenario: Scenario; bars: { world: string; bar: Bar }[] }>();
  for (const world of worlds) {
    for (const scenario of scenariosOf(world, wanted)) {
      for (const bar of await scenario.run(world.set, seeds)) {
        if (Number.isNaN(bar.value)) continue;
        const key = `${scenario.id} ${bar.figure}`;
        const entry = figures.get(key) ?? { scenario, bars: [] };
        figures.set(key, entry);
        entry.bars.push({ world: world.name, bar });
      }
    }
    onWorld(world.name);
  }
  return [...figures.values()].map(({ scenario: { id, title }, bars }) => ({ id, title, ...sumUp(bars) }));
}

function sumUp(bars: readonly { readonly world: string; readonly bar: Bar }[]): Omit<WorldFigure, "id" | "title"> {
  const sorted = bars.toSorted((a, b) => a.bar.value - b.bar.value);
  const [first] = sorted;
  const worst = first?.bar.most === undefined ? first : sorted.at(-1);
  if (worst === undefined) throw new RangeError("there are no worlds");
  const { figure, least, most } = worst.bar;
  const missed = bars.filter(({ bar }) => bar.value < (bar.least ?? -Infinity) || bar.value > (bar.most ?? Infinity));
  return {
    figure,
    mean: bars.reduce((sum, { bar }) => sum + bar.value, 0) / bars.length,
    worst: worst.bar.value,
    bar: least !== undefined ? `>= ${least}` : most !== undefined && most < Infinity ? `<= ${most}` : "-",
    missed: missed.length / bars.length,
    worstWorld: worst.world,
  };
}
