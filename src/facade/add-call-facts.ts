import type { IncomingHttpHeaders } from "node:http";
import { readCallFacts } from "../admission/call-facts.ts";
import { isJsonObject, type JsonObject } from "../formats/shared/json.ts";
import type { HubInput } from "../hub/input.ts";

/** A request in its own format. */
interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** Adds to a request the facts by which it is found and counted, where it has some. Throws INVALID_REQUEST. */
export function addCallFacts(input: HubInput, { headers, body }: Asked, sessionHeaders: readonly string[]): void {
  const { metadata, user } = body;
  const facts = readCallFacts({
    get: (name) => headers[name]?.toString(),
    sessionHeaders,
    metadata: isJsonObject(metadata) ? metadata : undefined,
    endUsers: [input.endUserId, user],
    promptCacheKey: input.promptCacheKey,
  });
  if (facts !== undefined) input.facts = facts;
}
