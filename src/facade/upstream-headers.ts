import type { FastifyRequest } from "fastify";
import { printable } from "./printable.ts";

/** What clients of OpenAI's formats read of an upstream's headers. */
const OPENAI = /^(?:x-ratelimit-|openai-processing-ms$)/;

/** What clients of the Messages format read. */
const MESSAGES = /^anthropic-ratelimit-/;

/** Returns those of an upstream's headers that belong to the format of a route: they reach the caller unchanged. */
export function ownUpstreamHeaders(
  { url }: FastifyRequest,
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = url.startsWith("/v1/messages") ? MESSAGES : OPENAI;
  const found = Object.entries(headers).filter(([name]) => own.test(name));
  return Object.fromEntries(found.map(([name, value]) => [name, printable(value)]));
}
