import type { FastifyRequest } from "fastify";

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

/** Makes a text fit for a header: what a header may not hold is percent-encoded. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) => {
    const bytes = Buffer.from(character, "utf8");
    return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  });
}
