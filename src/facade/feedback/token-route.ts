import { durationFromMs, timestampDate } from "@bufbuild/protobuf/wkt";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  closed,
  decodedMember,
  flagMember,
  integerMember,
  numberMember,
  recordMember,
  textMember,
} from "../../formats/shared/member.ts";
import { WireError } from "../../formats/shared/read.ts";
import { getCall } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { failAtPlaces } from "../fail.ts";
import { toMember } from "./encode-results.ts";

/** Longest time for which a token is good, in seconds. */
const MAX_TOKEN_SECONDS = 604_800;

const UNKNOWN = "is not known here: leave it out";

const METRIC = closed(
  decodedMember(
    {
      min: numberMember("Minimum"),
      max: numberMember("Maximum"),
      several: flagMember("True if a rater can send it several times; only once if absent"),
    },
    "Bounds of a metric; with one, its value must be a number",
    ({ min, max, several }) => ({
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      several: several ?? false,
    }),
  ),
  UNKNOWN,
);

const METRICS = recordMember(METRIC, "Metrics and notes that the token may send, by name, 20 at most; all if absent");

/** The body of POST /v1/feedback/tokens. */
export const TOKEN_REQUEST = closed(
  decodedMember(
    {
      id: textMember("Id of the only answer, or candidate, that the token sends feedback on"),
      session: textMember("The only session that it sends feedback on, instead of `id`"),
      expires_in: integerMember("Seconds until it expires; an hour if absent", { min: 1, max: MAX_TOKEN_SECONDS }),
      metrics: METRICS,
    },
    "What a token is for: `id` or `session`",
    ({ id, session, expires_in: seconds, metrics }) => {
      // Whoever collects names and finds none means a token for nothing: it would be one for everything.
      if (metrics !== undefined && Object.keys(metrics).length === 0)
        throw new WireError("metrics", "names no metric: leave it out to allow all");
      return {
        inferenceId: id ?? "",
        sessionId: session ?? "",
        metrics: metrics ?? {},
        ...(seconds !== undefined && { expiresIn: durationFromMs(seconds * 1000) }),
      };
    },
  ),
  UNKNOWN,
);

/** Creates the handler of POST /v1/feedback/tokens. */
export function createTokenHandler({ feedback }: Pick<RpcClients, "feedback">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const message = TOKEN_REQUEST.read(request.body, "", undefined);
    const { token, expiresAt } = await feedback
      .createToken(message, getCall(request, reply))
      .catch(failAtPlaces(toMember));
    const expires = expiresAt === undefined ? null : timestampDate(expiresAt).toISOString();
    return reply.send({ token, expires_at: expires });
  };
}
