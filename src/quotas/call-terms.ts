import { CacheTtl, type ContentBlock } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import { type CallTerms, PLAIN_TERMS } from "../catalog/dearest-cost.ts";
import type { PricePicos } from "../catalog/prices.ts";
import { isObject } from "../lib/is-object.ts";

const LIFETIMES: readonly { readonly ttl: CacheTtl; readonly cacheWrites: CallTerms["cacheWrites"] }[] = [
  { ttl: CacheTtl.CACHE_TTL_12H, cacheWrites: "cacheWrite12h" },
  { ttl: CacheTtl.CACHE_TTL_1H, cacheWrites: "cacheWrite1h" },
];

/** Returns what a request asks for that changes its price, as far as the price of its model knows it. */
export function callTerms(input: InferenceInput, price: PricePicos): CallTerms {
  const { tiers, regions, toolCallNanos } = price;
  const members = tiers === undefined && regions === undefined ? {} : getMembers(input.extension?.json);
  const known = (table: object = {}, word: unknown): string => {
    const name = typeof word === "string" ? word.toLowerCase() : "";
    return Object.hasOwn(table, name) ? name : "";
  };
  return {
    ...PLAIN_TERMS,
    serviceTier: known(tiers, members["service_tier"]),
    speed: known(tiers, members["speed"]),
    region: known(regions, members["inference_geo"]),
    cacheWrites: getCacheWrites(input),
    hasAudio: input.messages.some(({ content }) => content.some(({ kind }) => kind.case === "audio")),
    toolCalls: toolCallNanos === undefined ? {} : getToolCalls(input, toolCallNanos),
  };
}

function getCacheWrites({ system, messages, tools, automaticCacheMark }: InferenceInput): CallTerms["cacheWrites"] {
  const marked: Iterable<Pick<ContentBlock, "cacheMark">>[] = [
    system,
    ...messages.map(({ content }) => content),
    tools,
  ];
  const lifetimes = new Set(automaticCacheMark && [automaticCacheMark.ttl]);
  for (const list of marked) for (const { cacheMark } of list) if (cacheMark) lifetimes.add(cacheMark.ttl);
  return LIFETIMES.find(({ ttl }) => lifetimes.has(ttl))?.cacheWrites ?? "cacheWrite5m";
}

/** Counts the calls that a provider may make of its tools: as many as the request allows. */
function getToolCalls({ tools }: InferenceInput, prices: object): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const { kind } of tools) {
    if (kind.case !== "opaque") continue;
    const { type, max_uses: most } = getMembers(kind.value.json);
    const name = Object.keys(prices).find((priced) => typeof type === "string" && type.startsWith(priced));
    if (name === undefined) continue;
    calls[name] = (calls[name] ?? 0) + (typeof most === "number" ? most : Number.POSITIVE_INFINITY);
  }
  return calls;
}

function getMembers(json = "{}"): Readonly<Record<string, unknown>> {
  const members: unknown = JSON.parse(json);
  return isObject(members) ? members : {};
}
