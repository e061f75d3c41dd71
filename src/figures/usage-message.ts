import { create } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Figures, FiguresSchema } from "../../gen/attune/usage/v1/figures_pb.ts";
import {
  Dimension,
  type GetUsageRequest,
  type GetUsageResponse,
  type ShadowTrials,
  ShadowTrialsSchema,
} from "../../gen/attune/usage/v1/usage_pb.ts";
import { InferenceError } from "../hub/error.ts";
import {
  findGroupProblem,
  findUsageProblem,
  isWhole,
  REPORT_ROWS,
  type ShadowUsage,
  type UsageDimension,
  type UsageFigures,
  type UsageQuery,
  type UsageReport,
} from "./usage.ts";

const DEFAULT_MS = 30 * 86_400_000;
/** Most groups of an answer: more of them are a mistake, or an export that should be cut by time. */
const MOST_GROUPS = 10_000;

/** The messages of dimensions. */
export const USAGE_DIMENSION_MESSAGES = {
  key: Dimension.KEY,
  model: Dimension.MODEL,
  project: Dimension.PROJECT,
  workload: Dimension.WORKLOAD,
  session: Dimension.SESSION,
  end_user: Dimension.END_USER,
  tag: Dimension.TAG,
} as const satisfies Record<UsageDimension, Dimension>;

const DIMENSIONS: Record<Dimension, UsageDimension | undefined> = {
  [Dimension.UNSPECIFIED]: undefined,
  [Dimension.KEY]: "key",
  [Dimension.MODEL]: "model",
  [Dimension.PROJECT]: "project",
  [Dimension.WORKLOAD]: "workload",
  [Dimension.SESSION]: "session",
  [Dimension.END_USER]: "end_user",
  [Dimension.TAG]: "tag",
};

/** Reads the time and the dimensions of a question. Throws INVALID_REQUEST. */
export function readUsageRequest(
  request: Pick<GetUsageRequest, "from" | "to" | "groupBy">,
): Pick<UsageQuery, "from" | "to" | "groupBy"> {
  const to = request.to === undefined ? new Date() : timestampDate(request.to);
  const from = request.from === undefined ? new Date(to.getTime() - DEFAULT_MS) : timestampDate(request.from);
  if (from >= to) throw InferenceError.invalid("from", "must be before 'to'");
  const groupBy = request.groupBy.flatMap((dimension) => DIMENSIONS[dimension] ?? []);
  refuse(findGroupProblem(groupBy));
  return { from, to, groupBy };
}

/**
 * Returns a report as responses have it; `prefix` is that of model ids. Throws INVALID_REQUEST for one that is too
 * large.
 */
export function usageToMessage(report: UsageReport, groupBy: readonly UsageDimension[], prefix: string) {
  refuse(findUsageProblem(report));
  const { groups, total, shadow } = report;
  if (groups.length > MOST_GROUPS) throw tooManyGroups(groups.length);
  const values = (group: readonly string[]) =>
    group.map((value, at) => (groupBy[at] === "model" ? `${prefix}/${value}` : value));
  return {
    groups: groups.map((group) => ({ values: values(group.values), figures: toMessage(group.figures) })),
    total: toMessage(total),
    ...(shadow && { shadowTrials: shadowToMessage(shadow) }),
  };
}

/** Each figure with its field of the message. */
const FIELDS = REPORT_ROWS.map((row) => {
  const field = FiguresSchema.fields.find(({ name }) => name === row.field);
  if (field === undefined) throw new Error(`figures.proto has no ${row.field}: npm run generate writes it`);
  return { ...row, protoField: field };
});

function toMessage(figures: UsageFigures): Figures {
  const message = reflect(FiguresSchema);
  for (const { protoField, ...row } of FIELDS) {
    const value = figures[row.name] ?? undefined;
    if (value !== undefined) message.set(protoField, isWhole(row) ? BigInt(value) : value);
  }
  return message.message as Figures;
}

/** Returns the report of a response of whichever service. */
export function usageFromMessage({ groups, total, shadowTrials }: Omit<GetUsageResponse, "$typeName">): UsageReport {
  return {
    shadow: shadowTrials && toShadow(shadowTrials),
    groups: groups.map(({ values, figures }) => ({ values, figures: toFigures(figures) })),
    total: toFigures(total),
  };
}

function toShadow({ trials, checks, costNanoUsd }: ShadowTrials): ShadowUsage {
  const costNanos = costNanoUsd === undefined ? null : Number(costNanoUsd);
  return { trials: Number(trials), checks: Number(checks), costNanos };
}

function toFigures(figures: Figures | undefined): UsageFigures {
  const message = reflect(FiguresSchema, figures ?? create(FiguresSchema));
  const values = FIELDS.map(({ name, kind, protoField }) => {
    if (kind !== "sum" && !message.isSet(protoField)) return [name, null];
    const value = Number(message.get(protoField));
    // They are right to five percent: further digits would say nothing.
    return [name, kind === "percentile" ? Number(value.toPrecision(3)) : value];
  });
  return Object.fromEntries(values) as UsageFigures;
}

function shadowToMessage({ trials, checks, costNanos }: ShadowUsage): ShadowTrials {
  return create(ShadowTrialsSchema, {
    trials: BigInt(trials),
    checks: BigInt(checks),
    ...(costNanos !== null && { costNanoUsd: BigInt(costNanos) }),
  });
}

/** Throws INVALID_REQUEST where there is a problem of the dimensions. */
function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw InferenceError.invalid("group_by", problem);
}

function tooManyGroups(count: number): InferenceError {
  const problem = `gives ${count} groups, and at most ${MOST_GROUPS} are returned: use fewer dimensions or a shorter time`;
  return InferenceError.invalid("group_by", problem);
}
