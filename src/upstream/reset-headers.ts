/**
 * The longest wait that is taken from a limit's reset: that is when the limit is full again, and most fill up steadily.
 */
const LONGEST_MS = 60_000;

/**
 * Limits by the names of their headers. OpenAI, Groq and others: `x-ratelimit-reset-tokens: 6m0s`; Anthropic:
 * `anthropic-ratelimit-tokens-reset: 2026-11-27T02:00:00Z`; OpenRouter: `x-ratelimit-reset`, a Unix time; gateways have
 * the names of the IETF's draft, `ratelimit-reset`.
 */
const RESET = /^((?:x-)?ratelimit-)reset(-.+)?$|^(anthropic-ratelimit-.+-)reset$/;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Reads from the headers of an answer that refuses for want of room when there is some again, in milliseconds from
 * `now`: the latest reset of the limits that are used up, or else the first one of all; undefined if none is told.
 */
export function readResetMs(headers: Headers, now: number): number | undefined {
  const sent = Date.parse(String(headers["date"]));
  const since = Number.isNaN(sent) ? now : sent;
  const limits = Object.keys(headers).flatMap((name) => {
    const found = RESET.exec(name);
    const waitMs = found === null ? undefined : toWaitMs(headers[name], since);
    if (found === null || waitMs === undefined || waitMs <= 0) return [];
    const remaining = found[3] === undefined ? `${found[1]}remaining${found[2] ?? ""}` : `${found[3]}remaining`;
    return [{ waitMs, isUsedUp: String(headers[remaining]).trim() === "0" }];
  });
  if (limits.length === 0) return undefined;
  const usedUp = limits.filter(({ isUsedUp }) => isUsedUp).map(({ waitMs }) => waitMs);
  const waitMs = usedUp.length > 0 ? Math.max(...usedUp) : Math.min(...limits.map((limit) => limit.waitMs));
  return Math.min(Math.ceil(waitMs), LONGEST_MS);
}

/** Unix times from here on are no spans: seconds until 2286, and milliseconds above. */
const FIRST_UNIX_TIME = 1e9;
const FIRST_UNIX_MS = 1e10;

function toWaitMs(value: string | string[] | undefined, since: number): number | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) {
    const number = Number(text);
    if (number < FIRST_UNIX_TIME) return number * 1000;
    return (number < FIRST_UNIX_MS ? number * 1000 : number) - since;
  }
  if (/^\d{4}-\d\d-\d\d[T ]|^[A-Z][a-z]{2}, \d/.test(text)) {
    const date = Date.parse(text);
    return Number.isNaN(date) ? undefined : date - since;
  }
  return toSpanMs(text);
}

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads a span as Go writes it: 1h2m3.5s, 12ms. */
function toSpanMs(text: string): number | undefined {
  if (text.length > 64 || !/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/gy)) {
    total += Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  }
  return total;
}
