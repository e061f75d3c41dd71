import { USAGE_FORMS, type USAGE_PARAMETERS } from "../facade/usage/route.ts";
import { constant, list, long, type Members, number, object, orNull, ref, text } from "../formats/shared/schema.ts";
import { type nameFigures, USAGE_DIMENSIONS } from "../hub/usage.ts";
import { ID_HEADERS } from "./headers.ts";
import type { ApiPart, Parameter } from "./operation.ts";

const PARAMETERS: Readonly<Record<(typeof USAGE_PARAMETERS)[number], Parameter>> = {
  from: { description: "Start; 30 days ago if absent", schema: { type: "string", format: "date-time" } },
  to: { description: "End; now if absent", schema: { type: "string", format: "date-time" } },
  group_by: {
    description: `Any of ${USAGE_DIMENSIONS.map((name) => `\`${name}\``).join(", ")}, separated by commas`,
    schema: { type: "string" },
  },
  format: { description: "Format of the answer", schema: { type: "string", enum: [...USAGE_FORMS], default: "json" } },
};

const FIGURES: Readonly<Record<keyof ReturnType<typeof nameFigures> & string, ReturnType<typeof long>>> = {
  calls: long("Calls"),
  failed_calls: long("Calls that failed"),
  input_tokens: long("Prompt tokens, without cached ones"),
  cache_read_tokens: long("Tokens read from a cache"),
  cache_write_tokens: long("Tokens written to a cache"),
  output_tokens: long("Output tokens, with reasoning"),
  reasoning_tokens: long("Reasoning tokens"),
  estimated_calls: long("Calls with estimated tokens"),
  priced_calls: long("Calls whose cost is known"),
  cost_usd: orNull(number("Their cost in USD")),
  latency_p50_ms: orNull(number("Median of the latency of completed calls")),
  latency_p95_ms: orNull(number("95th percentile of the latency of completed calls")),
  feedback_entries: orNull(
    long(
      "Feedback values given on these calls in the time range; " +
        "null by session if the range has more than 50,000 of them",
    ),
  ),
  boolean_feedback_entries: orNull(long("Boolean feedback values")),
  true_feedback_entries: orNull(long("Boolean feedback values that are true")),
};

const DIMENSIONS: Members = Object.fromEntries(USAGE_DIMENSIONS.map((name) => [name, text(`Value of ${name}`)]));

const USAGE_REPORT = object(
  {
    object: constant("list"),
    data: list(object({ ...DIMENSIONS, ...FIGURES }, "A group", USAGE_DIMENSIONS), "A row for each group"),
    total: object(FIGURES, "All calls"),
    shadow_trials: object(
      {
        trials: long("Shadow trials"),
        checks: long("Graded answers"),
        cost_usd: orNull(number("Their cost in USD")),
      },
      "Shadow trials, which aren't in the other figures",
    ),
  },
  "Figures of calls",
  ["shadow_trials"],
);

const EXAMPLE = {
  calls: 6,
  failed_calls: 0,
  input_tokens: 38,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 70,
  reasoning_tokens: 0,
  estimated_calls: 0,
  priced_calls: 6,
  cost_usd: 0.0000388,
  latency_p50_ms: 8.35,
  latency_p95_ms: 583,
  feedback_entries: 3,
  boolean_feedback_entries: 2,
  true_feedback_entries: 1,
};

/** Usage. */
export const USAGE: ApiPart = {
  tag: { name: "Usage", description: "Figures of calls" },
  schemas: { UsageReport: USAGE_REPORT },
  operations: [
    {
      method: "get",
      path: "/v1/usage",
      id: "getUsage",
      tag: "Usage",
      summary: "Read totals of calls",
      description:
        "Covers the calls of the key, or of all keys of the project if the key has the permission `read:project`.",
      parameters: { query: PARAMETERS },
      examples: {
        model: { parameters: { group_by: "model" } },
        csv: { parameters: { group_by: "key,model", format: "csv" } },
      },
      answer: {
        description: "The figures",
        headers: ID_HEADERS,
        content: {
          "application/json": {
            schema: ref("UsageReport"),
            example: { object: "list", data: [{ model: "attune/claude-haiku-5-5", ...EXAMPLE }], total: EXAMPLE },
          },
          "text/csv": {
            schema: text("A heading, and a line for each group"),
            example: `model,${Object.keys(EXAMPLE).join(",")}\nattune/claude-haiku-5-5,${Object.values(EXAMPLE).join(",")}\n`,
          },
        },
      },
      envelopes: ["OpenAiError"],
    },
  ],
};
