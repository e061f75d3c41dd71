import { create } from "@bufbuild/protobuf";
import {
  type CacheMark,
  CacheMarkSchema,
  CacheTtl,
  type ContentBlock,
  Dialect,
  type RawJson,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import { isJsonObject, type JsonObject, lookAtJsonObject } from "./json.ts";

const TTLS: Readonly<Record<string, CacheTtl>> = { "5m": CacheTtl.CACHE_TTL_5M, "1h": CacheTtl.CACHE_TTL_1H };

/**
 * Reads the `cache_control` of a part, a message, a tool or the request of a Chat caller. OpenAI has none; OpenRouter
 * takes it on parts and the request, LiteLLM on messages, tools and their functions too. Undefined if there is none, or
 * one of a type that is not known.
 */
export function readCacheControl(holder: JsonObject): CacheMark | undefined {
  const inner = isJsonObject(holder.function) ? holder.function.cache_control : undefined;
  const control = holder.cache_control ?? inner;
  if (!isEphemeral(control)) return undefined;
  const ttl = isKnownTtl(control.ttl) ? TTLS[control.ttl] : undefined;
  return create(CacheMarkSchema, ttl === undefined ? {} : { ttl });
}

/** Tells whether a value is a `cache_control` that the hub has a mark for. */
export function isEphemeral(value: unknown): value is JsonObject {
  return isJsonObject(value) && value.type === "ephemeral";
}

/** Tells whether a lifetime is one that the hub's mark says. */
export function isKnownTtl(ttl: unknown): ttl is string {
  return typeof ttl === "string" && Object.hasOwn(TTLS, ttl);
}

/** Tells whether an extension holds a `cache_control` that is a mark too. */
export function hasCacheControl(raw: RawJson | undefined): boolean {
  if (raw?.dialect !== Dialect.CHAT || !raw.json.includes('"cache_control"')) return false;
  return readCacheControl(lookAtJsonObject(raw.json) ?? {}) !== undefined;
}

/** Returns the marks of a request that stand in its extensions as `cache_control`, with which they go to Chat. */
export function findControls({ dialect, messages }: HubInput): ReadonlySet<CacheMark> {
  const found = new Set<CacheMark>();
  const add = (blocks: readonly ContentBlock[], areAll: boolean): void => {
    for (const { cacheMark, extension, kind } of blocks) {
      if (cacheMark !== undefined && (areAll || hasCacheControl(extension))) found.add(cacheMark);
      if (kind.case === "toolResult") add(kind.value.content, areAll);
    }
  };
  if (dialect !== Dialect.CHAT) return found;
  for (const { content, extension } of messages) add(content, hasCacheControl(extension));
  return found;
}
