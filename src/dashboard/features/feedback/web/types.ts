import type { Inputs, Outputs } from "../../../web/api/trpc.ts";

/** All metrics of a time. */
export type FeedbackSummary = Outputs["feedback"]["summary"];

/** One of them. */
export type FeedbackMetric = FeedbackSummary["metrics"][number];

/** Its kind, as procedures take it. */
export type MetricKind = Inputs["feedback"]["metric"]["kind"];

/** The details of one metric. */
export type MetricDetail = Outputs["feedback"]["metric"];

/** One entry. */
export type FeedbackEntry = Outputs["feedback"]["entries"]["entries"][number];
