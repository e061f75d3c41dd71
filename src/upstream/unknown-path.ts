import { isJsonObject, type JsonObject } from "../formats/shared/json.ts";
import { parseErrorBody } from "../formats/shared/parse-error-body.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { redactKeys } from "../lib/redact-keys.ts";
import type { HttpAnswer } from "./http.ts";

/** The call that was answered. */
export interface AskedPath {
  /** Name of the upstream in the configuration. */
  readonly name: string;
  readonly url: URL;
}

/** Statuses of web servers that refuse a request for what it is, and not for its path; their pages are HTML too. */
const OF_REQUEST: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 413, 429]);

/**
 * The words of servers for a path that they do not know: FastAPI, llama.cpp and Anthropic ("Not Found", "File Not
 * Found"), OpenAI ("Invalid URL (POST /v1/x)"), Groq ("Unknown request URL"), Azure ("Resource not found"), Kong ("no
 * Route matched"), Express ("Cannot POST /x").
 */
const UNKNOWN_PATH =
  /^(?:(?:file|page|path|resource|route|endpoint) )?not found\.?$|invalid url|unknown (?:request )?(?:url|path|route|endpoint)|no route matched|cannot post|method not allowed/i;

/**
 * Returns the failure of an answer that no model's API gave: a path that the upstream does not know, or a page of HTML.
 * The caller did nothing wrong then, and the operator has to look at the base URL. Undefined for any other answer, such
 * as one that says that it has no such model.
 */
export function unknownPath(
  { status, headers }: Pick<HttpAnswer, "status" | "headers">,
  body: string,
  asked: AskedPath,
): InferenceError | undefined {
  const isPage = isHtml(headers, body);
  const isOfPath = status < 500 && (isPage ? !OF_REQUEST.has(status) : isUnknown(status, body));
  if (!isOfPath) return undefined;
  const path = redactKeys(asked.url.pathname);
  const said = isPage ? `answered POST ${path} with a page of HTML` : `does not know POST ${path}`;
  const message = `the upstream '${asked.name}' ${said} (status ${status}): its baseUrl in the configuration may be wrong`;
  return new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message, { upstreamStatus: status });
}

/** Tells whether an answer is a page for people. */
export function isHtml(headers: HttpAnswer["headers"], body: string): boolean {
  const type = String(headers["content-type"] ?? "");
  return /^text\/html\b/i.test(type) || /^\s*<(?:!doctype|html)\b/i.test(body);
}

/** Gateways route by path and method. What says more in JSON is about a model or another thing that was named. */
function isUnknown(status: number, body: string): boolean {
  if (status === 405) return true;
  if (status !== 404) return false;
  const json = parseErrorBody(body);
  const message = json === undefined ? undefined : messageOf(json);
  return message === undefined || UNKNOWN_PATH.test(message);
}

function messageOf(body: JsonObject): string | undefined {
  const { error, message, detail } = body;
  const told = isJsonObject(error) ? error["message"] : (message ?? detail ?? error);
  return typeof told === "string" && told !== "" ? told : undefined;
}
