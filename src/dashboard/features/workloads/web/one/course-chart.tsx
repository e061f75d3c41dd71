import { chooseColors, OTHERS_COLOR } from "../../../../web/figures/series-colors.ts";
import { stepLabels } from "../../../../web/figures/step-label.ts";
import type { ChartRow, Interval, Series } from "../../../../web/parts/chart.tsx";
import { ChartWithTable } from "../../../../web/parts/chart-with-table.tsx";
import { shortName } from "../../../../web/parts/name-text.ts";
import { armName } from "../arm-name.ts";
import type { WorkloadDetails } from "../types.ts";
import { writeWorth } from "../write-worth.ts";

/** Models beside base whose lines can still be told apart. */
const MOST_OTHERS = 4;
/** Steps that the ends of the axis are rounded to. */
const AXIS_STEP = 0.1;

/** Base, the others and the choice over time, each with its interval. */
export function CourseChart({ workload }: { readonly workload: WorkloadDetails }) {
  const { course, model, models, entries } = workload;
  const shown = shownModels(workload);
  const colors = chooseColors(shown, models);
  const series: Series[] = [
    ...shown.map((name, at) => ({
      name: `s${at}`,
      range: `r${at}`,
      label: name === model ? `${shortName(name)} (base)` : shortName(armName(name)),
      color: colors.get(name) ?? OTHERS_COLOR,
      hidesRange: name !== model,
    })),
    {
      name: "chosen",
      range: "chosenRange",
      label: "Attune's choice",
      color: "var(--mantine-color-text)",
      isDashed: true,
    },
  ];
  const rows = listRows(workload, shown);
  return (
    <ChartWithTable
      title="Estimated reward of each model"
      unit="same mix of prompts, from 0 to 1; shaded: 95% interval of the base model and of Attune's choice"
      kind="line"
      series={series}
      rows={rows}
      format={writeWorth}
      emptyText={
        course.steps.length === 0
          ? "Nothing was learned in this period. Choose a longer one, or send a call and rate its answer."
          : entries === 0
            ? "Rate a few answers, on their pages or with POST /v1/feedback."
            : workload.isMadeUp
              ? "Attune doesn't learn from the sandbox's test answers."
              : "Attune hasn't learned from the feedback yet."
      }
      domain={findDomain(rows)}
    />
  );
}

/** Base, and those of the others of which the most is known. */
function shownModels({ course, model }: WorkloadDetails): string[] {
  const last = course.steps.at(-1)?.arms ?? {};
  const others = Object.entries(last)
    .filter(([name, { rewards }]) => name !== model && rewards > 0)
    .sort(([, one], [, other]) => other.rewards - one.rewards)
    .map(([name]) => name);
  return [model, ...others.slice(0, MOST_OTHERS)];
}

function listRows({ course }: WorkloadDetails, shown: readonly string[]): ChartRow[] {
  if (course.steps.every(({ rewards }) => rewards === 0)) return [];
  const labels = stepLabels(course.buckets, course);
  return course.steps.map(({ arms, chosen }, at) => ({
    at: labels[at] ?? "",
    ...Object.fromEntries(
      shown.flatMap((name, line) => {
        const arm = arms[name];
        return [
          [`s${line}`, arm?.worth ?? null],
          [`r${line}`, arm === undefined ? null : ([arm.low, arm.high] as const)],
        ];
      }),
    ),
    chosen: chosen.worth,
    chosenRange: [chosen.low, chosen.high] as const,
  }));
}

/** Has room for the lines and for the intervals that are drawn: base's is the first. */
function findDomain(rows: readonly ChartRow[]): Interval {
  const values = rows.flatMap((row) =>
    Object.entries(row).flatMap(([name, value]): readonly number[] => {
      if (typeof value === "number") return [value];
      return Array.isArray(value) && (name === "r0" || name === "chosenRange") ? value : [];
    }),
  );
  if (values.length === 0) return [0, 1];
  return [
    Math.max(0, Math.floor(Math.min(...values) / AXIS_STEP) * AXIS_STEP),
    Math.min(1, Math.ceil(Math.max(...values) / AXIS_STEP) * AXIS_STEP),
  ];
}
