import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  Dimension,
  type Figures,
  type GetUsageResponse,
  type ShadowTrials,
} from "../../../gen/attune/usage/v1/usage_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import {
  nameFigures,
  nameShadow,
  type ShadowUsage,
  USAGE_DIMENSIONS,
  type UsageDimension,
  type UsageFigures,
  type UsageReport,
  usageCsv,
  usageRows,
} from "../../hub/usage.ts";
import { callOf } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { readParameters } from "../read-parameters.ts";
import { readTime } from "../read-time.ts";

/** Parameters of the address. */
export const USAGE_PARAMETERS = ["from", "to", "group_by", "format"] as const;

/** Forms of the answer. */
export const USAGE_FORMS = ["json", "csv"] as const;

const DIMENSIONS: Record<UsageDimension, Dimension> = {
  key: Dimension.KEY,
  model: Dimension.MODEL,
  project: Dimension.PROJECT,
  workload: Dimension.WORKLOAD,
  session: Dimension.SESSION,
  end_user: Dimension.END_USER,
  tag: Dimension.TAG,
};

/** Creates the handler of GET /v1/usage: figures of the key's own calls, or of all of the project where it may. */
export function createGetUsage({ usage }: Pick<RpcClients, "usage">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { from, to, groupBy, format } = readQuery(request.query);
    const response = await usage.getUsage(
      {
        ...(from && { from: timestampFromDate(from) }),
        ...(to && { to: timestampFromDate(to) }),
        groupBy: groupBy.map((dimension) => DIMENSIONS[dimension]),
      },
      callOf(request, reply),
    );
    const report = toReport(response);
    if (format === "csv") return reply.type("text/csv; charset=utf-8").send(usageCsv(report, groupBy));
    const total = nameFigures(report.total);
    return reply.send({ object: "list", data: usageRows(report, groupBy), total, ...nameShadow(report.shadow) });
  };
}

/** Reads the parameters of the address. Throws INVALID_REQUEST. */
function readQuery(query: unknown) {
  const text = readParameters(query, USAGE_PARAMETERS);
  const [from, to] = [text("from"), text("to")];
  return {
    from: from === undefined ? undefined : readTime(from, "from"),
    to: to === undefined ? undefined : readTime(to, "to"),
    groupBy: readDimensions(text("group_by") ?? ""),
    format: readFormat(text("format") ?? "json"),
  };
}

function readDimensions(text: string): readonly UsageDimension[] {
  const names = text === "" ? [] : text.split(",");
  return names.map((name, at) => {
    const dimension = USAGE_DIMENSIONS.find((known) => known === name);
    if (dimension !== undefined && names.indexOf(name) === at) return dimension;
    throw InferenceError.invalid("group_by", `must have some of ${USAGE_DIMENSIONS.join(", ")}, each once`);
  });
}

function readFormat(text: string): (typeof USAGE_FORMS)[number] {
  const form = USAGE_FORMS.find((known) => known === text);
  if (form !== undefined) return form;
  throw InferenceError.invalid("format", `must be ${USAGE_FORMS.join(" or ")}`);
}

function toReport({ groups, total, shadowTrials }: GetUsageResponse): UsageReport {
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
  return {
    calls: Number(figures?.calls ?? 0),
    failedCalls: Number(figures?.failedCalls ?? 0),
    inputTokens: Number(figures?.inputTokens ?? 0),
    cacheReadTokens: Number(figures?.cacheReadTokens ?? 0),
    cacheWriteTokens: Number(figures?.cacheWriteTokens ?? 0),
    outputTokens: Number(figures?.outputTokens ?? 0),
    reasoningTokens: Number(figures?.reasoningTokens ?? 0),
    estimatedCalls: Number(figures?.estimatedCalls ?? 0),
    pricedCalls: Number(figures?.pricedCalls ?? 0),
    costNanos: Number(figures?.costNanoUsd ?? 0),
    latencyP50Ms: rounded(figures?.latencyP50Ms),
    latencyP95Ms: rounded(figures?.latencyP95Ms),
  };
}

/** They are right to five percent: further digits would say nothing. */
function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Number(ms.toPrecision(3));
}
