import type { FastifyRequest } from "fastify";
import { printable } from "./printable.ts";

/** The upstream headers that clients of OpenAI's formats read. */
const OPENAI = /^(?:x-ratelimit-|openai-processing-ms$)/;

/** The upstream headers that clients of the Messages format read. */
const MESSAGES = /^anthropic-ratelimit-/;

/** The API can be registered below a prefix, as it is for the playground. */
const MESSAGES_ROUTE = /^[^?]*\/v1\/messages(?:[/?]|$)/;

/** Returns whether a route is of the Messages format. */
export function isMessagesRoute({ url }: Pick<FastifyRequest, "url">): boolean {
  return MESSAGES_ROUTE.test(url);
}

/** Returns those of an upstream's headers that belong to the format of a route: they reach the caller unchanged. */
export function ownUpstreamHeaders(
  request: Pick<FastifyRequest, "url">,
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = isMessagesRoute(request) ? MESSAGES : OPENAI;
  const found: Record<string, string> = {};
  for (const name in headers) if (own.test(name)) found[name] = printable(headers[name] ?? "");
  return found;
}
