import { USAGE_FORMS, type USAGE_PARAMETERS } from "../facade/usage/route.ts";
import { columnOf, isCost, isWhole, REPORT_ROWS, USAGE_DIMENSIONS } from "../figures/usage.ts";
import { constant, list, long, type Members, number, object, orNull, ref, text } from "../formats/shared/schema.ts";
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

const FIGURES: Members = Object.fromEntries(
  REPORT_ROWS.map((row) => {
    const description = isCost(row) ? `${row.text}, in USD` : row.text;
    const schema = isWhole(row) && !isCost(row) ? long(description) : number(description);
    return [columnOf(row), row.kind === "sum" && !isCost(row) ? schema : orNull(schema)];
  }),
);

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

const EXAMPLE = Object.fromEntries(REPORT_ROWS.map((row) => [columnOf(row), row.example]));

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
