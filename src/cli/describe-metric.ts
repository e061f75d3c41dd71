import type { MetricSettings } from "../learning/metric-settings.ts";

/** What is said of a metric, in a line. */
export function describeMetric({ name, weight, direction, atLeast, atMost }: MetricSettings): string {
  const said = [
    weight === undefined ? [] : [`weight ${weight}`],
    direction === undefined ? [] : [`better when ${direction === "min" ? "smaller" : "greater"}`],
    atLeast === undefined ? [] : [`at least ${atLeast}`],
    atMost === undefined ? [] : [`at most ${atMost}`],
  ].flat();
  return `${name}: ${said.length === 0 ? "nothing is said" : said.join(", ")}`;
}
