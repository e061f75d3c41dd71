import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  nameFigures,
  nameShadow,
  USAGE_DIMENSIONS,
  type UsageDimension,
  usageCsv,
  usageRows,
} from "../../figures/usage.ts";
import { USAGE_DIMENSION_MESSAGES, usageFromMessage } from "../../figures/usage-message.ts";
import { InferenceError } from "../../hub/error.ts";
import { getCall } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { readParameters } from "../read-parameters.ts";
import { readTime } from "../read-time.ts";

/** Parameters of the address. */
export const USAGE_PARAMETERS = ["from", "to", "group_by", "format"] as const;

/** Forms of the answer. */
export const USAGE_FORMS = ["json", "csv"] as const;

/** Creates the handler of GET /v1/usage: figures of the key's own calls, or of all of the project where it may. */
export function createGetUsage({ usage }: Pick<RpcClients, "usage">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { from, to, groupBy, format } = readQuery(request.query);
    const response = await usage.getUsage(
      {
        ...(from && { from: timestampFromDate(from) }),
        ...(to && { to: timestampFromDate(to) }),
        groupBy: groupBy.map((dimension) => USAGE_DIMENSION_MESSAGES[dimension]),
      },
      getCall(request, reply),
    );
    const report = usageFromMessage(response);
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
