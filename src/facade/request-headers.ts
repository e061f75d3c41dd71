import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import { type InferenceHeaders, readInferenceHeaders } from "../admission/inference-headers.ts";
import { headerError } from "../hub/header-error.ts";
import { createIdempotencyKey, type IdempotencyKey, idempotencyKeyProblem } from "../hub/idempotency-key.ts";

const KEY_HEADER = "idempotency-key";

/** Beginning of the beta that asks for threads, which are held here: an upstream gets whole conversations. */
const THREADS = "message-threads-";

/** A name that can be one of a beta feature. */
const BETA = /^[!-~]{1,128}$/;

/** Betas that are handed on, and pieces of the list that are looked at. */
const MAX_BETAS = 64;
const MAX_LISTED = 1000;

/** Returns the headers that say who calls, for the RPC to judge. */
export function keyHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const { authorization, "x-api-key": apiKey } = headers;
  const found: Record<string, string> = {};
  if (authorization !== undefined) found["authorization"] = authorization;
  if (typeof apiKey === "string") found["x-api-key"] = apiKey;
  return found;
}

/** Returns the key under which a request is answered once; undefined without one. Throws INVALID_REQUEST. */
export function readIdempotencyKey(
  { headers, routeOptions }: Pick<FastifyRequest, "headers" | "routeOptions">,
  body: Uint8Array,
): IdempotencyKey | undefined {
  const key = headers[KEY_HEADER]?.toString();
  if (key === undefined) return undefined;
  const problem = idempotencyKeyProblem(key);
  if (problem !== undefined) throw headerError(KEY_HEADER, problem);
  return createIdempotencyKey(key, routeOptions.url ?? "", body);
}

/** Returns how many bytes the body of a request has; infinity where its sender did not say. */
export function announcedBytes(headers: IncomingHttpHeaders): number {
  const length = headers["content-length"];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length);
}

/** The settings from headers; those that were not sent are absent. */
type HeaderFacts = InferenceHeaders & { betas?: string[] };

/** Reads the request headers that bear on the inference. Throws INVALID_REQUEST. */
export function readRequestHeaders(headers: IncomingHttpHeaders): HeaderFacts {
  const { "anthropic-beta": betas } = headers;
  const read: HeaderFacts = readInferenceHeaders((name) => headers[name]?.toString());
  if (typeof betas === "string") read.betas = readBetas(betas);
  return read;
}

/** The format ignores betas that it does not know, and nothing that is no name can be one that anybody knows. */
function readBetas(text: string): string[] {
  const names = text.split(",", MAX_LISTED).map((item) => item.trim());
  return names.filter((name) => BETA.test(name) && !name.startsWith(THREADS)).slice(0, MAX_BETAS);
}
