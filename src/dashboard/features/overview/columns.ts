import { isAdditive, MEASURES, SHOWN, type ShownName } from "../../../figures/measures.ts";
import { SAVING_KINDS, type Savings } from "../../../hub/saving-kinds.ts";
import type { Figures } from "../../../store/dashboard/figures/read-figures.ts";

/** Name of what a chart shows. */
type ColumnName = (typeof MEASURES)[ShownName]["page"]["column"];

/** All that is shown of some calls. */
type Shown = Readonly<Record<ColumnName, number | null>>;

/** Values of each column, one for each step. */
export type ColumnValues = Readonly<Record<ColumnName, readonly (number | null)[]>>;

/** Returns all that is shown of some calls. */
export function show(figures: Figures): Shown {
  return byName((name) => round(name, figures[name]));
}

/** Puts what is shown of steps into columns; a step without calls has sums of 0, and nothing that can't be added up. */
export function toColumns(steps: readonly (Figures | undefined)[]): ColumnValues {
  return byName((name) => {
    const nothing = isAdditive(name) ? 0 : null;
    return steps.map((figures) => (figures === undefined ? nothing : round(name, figures[name])));
  });
}

/** Adds columns up; times of different calls cannot be added, so there are none. */
export function addColumns(all: readonly ColumnValues[], steps: number): ColumnValues {
  return byName((name) => {
    const { column } = MEASURES[name].page;
    const sum = (at: number) => all.reduce((total, columns) => total + (columns[column][at] ?? 0), 0);
    return Array.from({ length: steps }, (_, at) => (isAdditive(name) ? sum(at) : null));
  });
}

function byName<Value>(pick: (name: ShownName) => Value): Record<ColumnName, Value> {
  const values = SHOWN.map((name) => [MEASURES[name].page.column, pick(name)]);
  return Object.fromEntries(values) as Record<ColumnName, Value>;
}

/** Rounds percentiles to tenths of a millisecond. */
function round(name: ShownName, value: number | null): number | null {
  return value !== null && "histogram" in MEASURES[name] ? Math.round(value * 10) / 10 : value;
}

/** Returns what was saved by kind; a kind that did nothing is not there. */
export function savedByKind(figures: Figures): Savings {
  const all = SAVING_KINDS.map((kind) => [kind, figures[`saved.${kind}`]] as const);
  return Object.fromEntries(all.filter(([, nanos]) => nanos !== 0));
}
