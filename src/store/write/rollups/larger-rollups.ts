import type { EntityName } from "@mikro-orm/core";
import { FeedbackFactFourWeeks, FeedbackFactWeek } from "../../entities/feedback-rollup.ts";
import { UsageWeek } from "../../entities/usage.ts";
import { UsageFactFourWeeks, UsageFactWeek } from "../../entities/usage-fact.ts";
import type { Period } from "../../types/period.ts";

/** A rollup that is made of one with shorter periods. */
export interface LargerRollup {
  readonly table: string;
  readonly entity: EntityName;
  readonly period: Extract<Period, "week" | "four_weeks">;
  readonly source: {
    readonly table: string;
    readonly period: Extract<Period, "day" | "week">;
    /** The source as one that is made itself: it has to be complete before anything is made of it. */
    readonly made?: LargerRollup;
  };
  /** True if rows for all keys together are added to those of the keys. */
  readonly addsAllKeys: boolean;
}

/** Calls by the week. */
export const USAGE_WEEKS: LargerRollup = {
  table: "usage_week",
  entity: UsageWeek,
  period: "week",
  addsAllKeys: false,
  source: { table: "usage_day", period: "day" },
};

const FACT_WEEKS: LargerRollup = {
  table: "usage_fact_week",
  entity: UsageFactWeek,
  period: "week",
  addsAllKeys: true,
  source: { table: "usage_fact_day", period: "day" },
};

const FEEDBACK_FACT_WEEKS: LargerRollup = {
  table: "feedback_fact_week",
  entity: FeedbackFactWeek,
  period: "week",
  addsAllKeys: true,
  source: { table: "feedback_fact_day", period: "day" },
};

/** Calls by their facts, and longer periods. */
export const USAGE_FACTS: readonly LargerRollup[] = [
  FACT_WEEKS,
  {
    table: "usage_fact_four_weeks",
    entity: UsageFactFourWeeks,
    period: "four_weeks",
    addsAllKeys: false,
    source: { table: "usage_fact_week", period: "week", made: FACT_WEEKS },
  },
];

/** Feedback by the facts of calls, and longer periods. */
export const FEEDBACK_FACTS: readonly LargerRollup[] = [
  FEEDBACK_FACT_WEEKS,
  {
    table: "feedback_fact_four_weeks",
    entity: FeedbackFactFourWeeks,
    period: "four_weeks",
    addsAllKeys: false,
    source: { table: "feedback_fact_week", period: "week", made: FEEDBACK_FACT_WEEKS },
  },
];

/** All of them, each after its source. */
export const LARGER_ROLLUPS: readonly LargerRollup[] = [USAGE_WEEKS, ...USAGE_FACTS, ...FEEDBACK_FACTS];
