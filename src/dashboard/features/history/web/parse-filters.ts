import { TIME_RANGES } from "../../../web/parts/time-range.ts";
import { readParameter } from "../../../web/parts/times.ts";
import type { RequestFilter } from "./types.ts";

/** The filters in the page's address; null matches anything. */
export interface Filters {
  readonly model: string | null;
  /** The model that answered, or failed to. */
  readonly answered: string | null;
  readonly upstream: string | null;
  /** Why it failed. */
  readonly reason: string | null;
  readonly key: string | null;
  readonly workload: string | null;
  readonly status: string | null;
  readonly session: string | null;
  readonly user: string | null;
  /** A tag of the request: name=value */
  readonly label: string | null;
  /** A tag of its feedback: name=value */
  readonly tag: string | null;
  /** name>0.5, name<1 or name=1 */
  readonly metric: string | null;
  /** A text or an id. */
  readonly q: string | null;
  /** 1 to look for the text in whole texts. */
  readonly whole: string | null;
  /** A span until now: 24h. */
  readonly since: string | null;
  /** A beginning and an end, in UTC, in place of a span: 2026-11-21T14:00Z. */
  readonly from: string | null;
  readonly to: string | null;
  /** Another order than the newest first. */
  readonly sort: string | null;
}

/** The orders beside the newest first. */
export const ORDERS = [
  { value: "cost", label: "Most expensive first" },
  { value: "duration", label: "Slowest first" },
  { value: "tokens", label: "Most tokens first" },
  { value: "oldest", label: "Oldest first" },
] as const;

/** Returns the order that is asked for; undefined for the newest first, in which searches always come. */
export function chosenOrder({ sort, q }: Filters): (typeof ORDERS)[number]["value"] | undefined {
  return (q?.trim() ?? "") === "" ? ORDERS.find(({ value }) => value === sort)?.value : undefined;
}

/** Names of the parameters in the address. */
export const FILTER_NAMES = [
  "model",
  "answered",
  "upstream",
  "reason",
  "key",
  "workload",
  "status",
  "session",
  "user",
  "label",
  "tag",
  "metric",
  "q",
  "whole",
  "since",
  "from",
  "to",
  "sort",
] as const;

/** Reads the filters of an address. */
export function readFilters(parameters: URLSearchParams): Filters {
  return Object.fromEntries(FILTER_NAMES.map((name) => [name, parameters.get(name)])) as unknown as Filters;
}

/** Tells whether anything is filtered. */
export function hasFilters(filters: Filters): boolean {
  return FILTER_NAMES.some((name) => filters[name] !== null);
}

/** Takes a tag apart: name=value. */
export function parseTag(text: string): { readonly key: string; readonly value: string } | undefined {
  const at = text.indexOf("=");
  return at < 1 ? undefined : { key: text.slice(0, at), value: text.slice(at + 1) };
}

/** Takes a metric apart: name>0.5. */
export function parseMetric(text: string): NonNullable<RequestFilter["metric"]> | undefined {
  const [, name, compare, number] = /^(.+)([<>=])(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (name === undefined || (compare !== ">" && compare !== "<" && compare !== "=")) return undefined;
  return { name, compare, value: Number(number) };
}

/** Turns the filters of an address into those of the API. What makes no sense in a hand-written address is left out. */
export function toRequestFilter(filters: Filters, now = Date.now()): RequestFilter {
  const { model, answered, upstream, reason, key, workload, status, session, user, label, tag, metric, q } = filters;
  const callTag = label === null ? undefined : parseTag(label);
  const text = q?.trim() ?? "";
  return {
    model: model ?? undefined,
    servedModel: answered ?? undefined,
    upstream: upstream ?? undefined,
    errorReason: reason || undefined,
    keyId: key ?? undefined,
    workload: workload ?? undefined,
    status: status ?? undefined,
    sessionId: session || undefined,
    endUserId: user || undefined,
    callTag: callTag && { name: callTag.key, value: callTag.value },
    tag: tag === null ? undefined : parseTag(tag),
    metric: metric === null ? undefined : parseMetric(metric),
    text: text === "" ? undefined : text,
    isWhole: text !== "" && filters.whole === "1" ? true : undefined,
    ...readWindow(filters, now),
  };
}

/** Returns the time that is meant; an end that is not after the beginning is left out. */
export function readWindow(
  filters: Pick<Filters, "since" | "from" | "to">,
  now = Date.now(),
): { readonly from: string | undefined; readonly to: string | undefined } {
  const [from, to] = [readParameter(filters.from), readParameter(filters.to)];
  if (from !== undefined || to !== undefined) {
    return { from, to: from !== undefined && to !== undefined && to <= from ? undefined : to };
  }
  const span = TIME_RANGES.find(({ value }) => value === filters.since);
  return { from: span === undefined ? undefined : new Date(now - span.ms).toISOString(), to: undefined };
}
