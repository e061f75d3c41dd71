import type { TokenMetric } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceError } from "../hub/error.ts";
import type { GrantedMetric, GrantedMetrics } from "../hub/principal.ts";
import { checkName } from "./check-text.ts";

/** A token is sent in a header: names of more characters would make it too long. */
const MOST_METRICS = 20;
const MOST_CHARACTERS = 2000;

/** Reads the metrics that a token is to send; undefined for all. Throws INVALID_REQUEST. */
export function readGranted(metrics: Readonly<Record<string, TokenMetric>>): GrantedMetrics | undefined {
  const names = Object.keys(metrics);
  if (names.length === 0) return undefined;
  if (names.length > MOST_METRICS) {
    throw InferenceError.invalid("metrics", `must be at most ${MOST_METRICS}, not ${names.length}`);
  }
  if (names.join("").length > MOST_CHARACTERS) {
    throw InferenceError.invalid("metrics", `must have names of at most ${MOST_CHARACTERS} characters in all`);
  }
  return Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [name, readMetric(name, metric)]));
}

function readMetric(name: string, { min, max, several }: TokenMetric): GrantedMetric {
  const place = `metrics.${name}`;
  if (name === "") throw InferenceError.invalid("metrics", "has a member with an empty name; give it one");
  checkName(name, () => "metrics");
  for (const [bound, value] of [["min", min] as const, ["max", max] as const]) {
    if (value === undefined || Number.isFinite(value)) continue;
    throw InferenceError.invalid(`${place}.${bound}`, "must be a finite number");
  }
  if (min !== undefined && max !== undefined && min > max) {
    throw InferenceError.invalid(`${place}.min`, `must be at most max, which is ${max}`);
  }
  // Absent members make a shorter token.
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }), ...(several && { several }) };
}
