import { durationFromMs, timestampDate } from "@bufbuild/protobuf/wkt";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  memberPath,
  optional,
  readBoolean,
  readInteger,
  readNumber,
  readObject,
  readString,
  WireError,
} from "../../formats/shared/read.ts";
import { getCall } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { failAtPlaces } from "../fail.ts";
import { toMember } from "./encode-results.ts";

/** Members of a request for a token. */
export const TOKEN_MEMBERS = ["id", "session", "expires_in", "metrics"] as const;

/** Longest time for which a token is good, in seconds. */
export const MAX_TOKEN_SECONDS = 604_800;

const METRIC_MEMBERS: ReadonlySet<string> = new Set(["min", "max", "several"]);

const KNOWN: ReadonlySet<string> = new Set(TOKEN_MEMBERS);

/** Creates the handler of POST /v1/feedback/tokens. */
export function createTokenHandler({ feedback }: Pick<RpcClients, "feedback">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const message = decodeTokenRequest(request.body);
    const { token, expiresAt } = await feedback
      .createToken(message, getCall(request, reply))
      .catch(failAtPlaces(toMember));
    const expires = expiresAt === undefined ? null : timestampDate(expiresAt).toISOString();
    return reply.send({ token, expires_at: expires });
  };
}

/** Decodes the body. Throws WireError. */
export function decodeTokenRequest(body: unknown) {
  const members = readObject(body, "");
  for (const name of Object.keys(members)) {
    if (!KNOWN.has(name)) throw new WireError(memberPath("", name), "is not known here: leave it out");
  }
  const seconds = optional(members["expires_in"], "expires_in", readInteger, { min: 1, max: MAX_TOKEN_SECONDS });
  return {
    inferenceId: optional(members["id"], "id", readString) ?? "",
    sessionId: optional(members["session"], "session", readString) ?? "",
    metrics: optional(members["metrics"], "metrics", decodeMetrics) ?? {},
    ...(seconds !== undefined && { expiresIn: durationFromMs(seconds * 1000) }),
  };
}

function decodeMetrics(value: unknown, path: string) {
  const metrics = Object.entries(readObject(value, path));
  // Whoever collects names and finds none means a token for nothing: it would be one for everything.
  if (metrics.length === 0) throw new WireError(path, "names no metric: leave it out to allow all");
  return Object.fromEntries(metrics.map(([name, metric]) => [name, decodeMetric(metric, memberPath(path, name))]));
}

function decodeMetric(value: unknown, path: string) {
  const metric = readObject(value, path);
  for (const name of Object.keys(metric)) {
    if (!METRIC_MEMBERS.has(name)) throw new WireError(memberPath(path, name), "is not known here: leave it out");
  }
  const min = optional(metric["min"], `${path}.min`, readNumber);
  const max = optional(metric["max"], `${path}.max`, readNumber);
  const isRepeatable = optional(metric["several"], `${path}.several`, readBoolean);
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }), several: isRepeatable ?? false };
}
