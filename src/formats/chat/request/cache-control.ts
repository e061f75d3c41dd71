import type { RawJson } from "../../../../gen/attune/content/v1/content_pb.ts";
import { readCacheControl } from "../../shared/chat-cache-control.ts";
import type { JsonObject } from "../../shared/json.ts";
import { anyMember, carried } from "../../shared/member.ts";
import { chatJson } from "../raw-json.ts";

/** Describes a `cache_control`; its value is the hub's mark, and undefined for one of a type that is not known. */
export function controlMember(description: string) {
  return carried({
    ...anyMember(description),
    read: (value: unknown) => readCacheControl({ cache_control: value }),
  });
}

/** The `cache_control` of parts, messages, tools and calls. */
export const CONTROL = {
  cache_control: controlMember("Mark for the upstream's cache, as in OpenRouter and LiteLLM"),
};

/** Returns the extension for what the hub has no field for, of an object and of the one inside it. */
export function withInner(
  rest: JsonObject | undefined,
  name: string,
  inner: JsonObject | undefined,
): RawJson | undefined {
  return chatJson(inner === undefined ? rest : { ...rest, [name]: inner });
}
