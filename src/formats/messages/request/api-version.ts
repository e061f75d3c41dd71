import type { IncomingHttpHeaders } from "node:http";
import { headerError } from "../../../hub/header-error.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { WireError } from "../../shared/read.ts";

/** Versions of the Messages API, as the header `anthropic-version` names them, the oldest first. */
const VERSIONS = ["2023-06-01", "2026-10-21"] as const;

/** A version of the Messages API. */
type ApiVersion = (typeof VERSIONS)[number];

/** Members of a request that the newer version no longer has. */
const REMOVED_MEMBERS = ["temperature", "top_p", "top_k"];

/** The remedy for a member that only the older version takes. */
const REMEDY = "leave it out, or send the header 'anthropic-version: 2023-06-01'";

/** Reads the version that a request is written in: the oldest one if it does not say. Throws INVALID_REQUEST. */
export function readApiVersion(headers: IncomingHttpHeaders): ApiVersion {
  const value = headers["anthropic-version"];
  if (value === undefined) return VERSIONS[0];
  const version = VERSIONS.find((known) => known === value);
  if (version !== undefined) return version;
  const known = VERSIONS.map((name) => `'${name}'`).join(", ");
  throw headerError("anthropic-version", `must be one of ${known}, not '${String(value).slice(0, 64)}'`);
}

/** Checks that a body, which has the format's form, has nothing that its version does not take. Throws WireError. */
export function checkApiVersion(body: JsonObject, version: ApiVersion): void {
  if (version === "2023-06-01") return;
  for (const name of REMOVED_MEMBERS) {
    if (body[name] !== undefined && body[name] !== null) {
      throw new WireError(name, `is not part of version ${version} of the API; ${REMEDY}`);
    }
  }
  for (const [index, message] of objectsIn(body["messages"])) {
    const path = `messages[${index}].content`;
    if (message["role"] === "assistant") checkDocuments(message["content"], path, version);
    if (message["role"] === "user") checkCitations(message["content"], path, version);
  }
}

function checkDocuments(content: unknown, path: string, version: ApiVersion): void {
  for (const [index, { type }] of objectsIn(content)) {
    if (type !== "document") continue;
    throw new WireError(
      `${path}[${index}]`,
      `a document isn't allowed in an assistant message in version ${version} of the API; ${REMEDY}`,
    );
  }
}

/** Citations are what a model answers with; also those inside search results and tool results are no input. */
function checkCitations(content: unknown, path: string, version: ApiVersion): void {
  for (const [index, block] of objectsIn(content)) {
    const { type, citations } = block;
    const place = `${path}[${index}]`;
    if (type === "text" && Array.isArray(citations) && citations.length > 0) {
      throw new WireError(
        `${place}.citations`,
        `a text of the user may not have citations in version ${version} of the API; ${REMEDY}`,
      );
    }
    checkCitations(block["content"], `${place}.content`, version);
  }
}

function objectsIn(list: unknown): (readonly [index: number, JsonObject])[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) => (isJsonObject(item) ? [[index, item] as const] : []));
}
