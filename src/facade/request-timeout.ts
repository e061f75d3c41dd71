import type { IncomingHttpHeaders } from "node:http";
import { headerError } from "../hub/header-error.ts";

const HEADER = "x-request-timeout";

/** Seconds, or with the unit. */
const TIMEOUT = /^(\d{1,9}(?:\.\d{1,6})?)(s|ms)?$/;

/** Headers in which the official SDKs say how many seconds they wait: TypeScript and Go in the first, Python in the second. */
const SDK_HEADERS = ["x-stainless-timeout", "x-stainless-read-timeout"] as const;

/** Longest time that a timer can wait, about 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns how many milliseconds a caller waits for its answer to begin, by its own header before that of its SDK;
 * undefined if it does not say. Throws INVALID_REQUEST for its own header.
 */
export function readRequestTimeout(headers: IncomingHttpHeaders): number | undefined {
  const own = headers[HEADER];
  if (own !== undefined) {
    const timeoutMs = parseTimeout(String(own));
    if (timeoutMs === undefined) throw headerError(HEADER, "must be a number of seconds such as 30, or 1500ms");
    return timeoutMs;
  }
  for (const name of SDK_HEADERS) {
    const told = headers[name];
    // What an SDK says without being asked to is no mistake of the caller.
    if (typeof told === "string") return parseTimeout(told);
  }
  return undefined;
}

function parseTimeout(text: string): number | undefined {
  const [, count, unit] = TIMEOUT.exec(text) ?? [];
  const timeoutMs = Math.floor(Number(count) * (unit === "ms" ? 1 : 1000));
  return timeoutMs > 0 ? Math.min(timeoutMs, MAX_TIMER_MS) : undefined;
}
