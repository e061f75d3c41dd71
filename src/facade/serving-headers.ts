import type { FastifyRequest } from "fastify";
import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import { Deviation, type Finished, type Serving } from "../../gen/attune/inference/v1/inference_pb.ts";
import { quotaHeaders } from "./quota-headers.ts";
import { ownUpstreamHeaders, printable } from "./upstream-headers.ts";

/** Most characters of the list of losses in a header. */
const MAX_LOSSES = 4096;

const DEVIATION: Record<Deviation, string> = {
  [Deviation.UNSPECIFIED]: "none",
  [Deviation.NONE]: "none",
  [Deviation.ROUTED]: "routed",
  [Deviation.BEST_OF_N]: "best-of-n",
};

/** The facts that the headers of an answer depend on, beside what served it. */
interface AnswerFacts {
  readonly request: FastifyRequest;
  /** Spells a place of what was asked as the client wrote it. */
  readonly spell: (place: string) => string;
}

/** The header that has the id of an inference: some clients show one of their own in the place of the body's. */
export const INFERENCE_ID_HEADER = "attune-inference-id";

/** Returns the header with the id of an inference; none for what is no inference, such as a count. */
export function idHeader(id: string | undefined): Record<string, string> {
  return id ? { [INFERENCE_ID_HEADER]: id } : {};
}

/**
 * Returns the headers that say who served an answer and what was done on the way, and what the upstream's own headers
 * said.
 */
export function servingHeaders(serving: Serving | undefined, facts: AnswerFacts): Record<string, string> {
  if (serving === undefined) return {};
  const { request, spell } = facts;
  const headers: Record<string, string> = {
    ...ownUpstreamHeaders(request, serving.upstreamHeaders),
    ...quotaHeaders(request, serving.quotas),
    "attune-served-by": servedBy(serving),
    "attune-optimizations": serving.optimizations.length === 0 ? "none" : serving.optimizations.join(", "),
    "attune-deviation": DEVIATION[serving.deviation] ?? "none",
  };
  if (serving.upstreamRequestId !== "") headers["attune-upstream-request-id"] = printable(serving.upstreamRequestId);
  if (serving.translationLosses.length > 0)
    headers["attune-translation-loss"] = listLosses(serving.translationLosses, spell);
  return headers;
}

/** Returns what is known of an answer only at its end, and stands in no member of its own, as headers say it. */
export function endHeaders(
  { translationLosses, usage }: Pick<Finished, "translationLosses" | "usage">,
  spell: AnswerFacts["spell"],
): Record<string, string> {
  return {
    ...(translationLosses.length > 0 && { "attune-translation-loss": listLosses(translationLosses, spell) }),
    ...usageHeaders(usage),
  };
}

/** Returns the header that says that the tokens of an answer are an estimate; none if they are not. */
export function usageHeaders(usage: Usage | undefined): Record<string, string> {
  return usage?.estimated === true ? { "attune-usage": "estimated" } : {};
}

/** Names the upstream; and the model, where it may be another one than was asked for. */
function servedBy({ upstream, model, deviation }: Serving): string {
  return DEVIATION[deviation] === "none" ? printable(upstream) : `${printable(upstream)}; model=${printable(model)}`;
}

/** Lists losses for a header or a comment, as the client spells them; what is too long for one is counted. */
export function listLosses(places: readonly string[], spell: AnswerFacts["spell"]): string {
  // Several places in the hub may be one in a format.
  const losses = [...new Set(places.map(spell))];
  let list = "";
  for (const [position, loss] of losses.entries()) {
    const next = `${position === 0 ? "" : ", "}${printable(loss)}`;
    if (list.length + next.length > MAX_LOSSES) return `${list}, and ${losses.length - position} more`;
    list += next;
  }
  return list;
}
