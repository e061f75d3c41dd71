import type { Outputs } from "../../../web/api/trpc.ts";

/** Figures of a time. */
export type Figures = Outputs["overview"]["figures"];

/** The figures of a set of calls. */
export type Shown = Figures["compared"]["now"];

/** Name of what a chart shows. */
export type ColumnName = keyof Figures["all"];
