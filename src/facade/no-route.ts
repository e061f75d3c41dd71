import type { FastifyRequest } from "fastify";
import { ErrorReason, InferenceError } from "../hub/error.ts";

/** Parts of the providers' APIs that this service does not have, by the beginning of their paths. */
const OUT_OF_SCOPE: readonly (readonly [path: RegExp, name: string, remedy: string])[] = [
  [/\/v1\/(?:files|uploads)(?:\/|$)/, "files are", "send images and documents inside requests"],
  [/\/v1\/(?:messages\/)?batches(?:\/|$)/, "batches are", "send the requests one by one"],
  [/\/v1\/audio(?:\/|$)/, "audio is", "call its provider for it"],
  [/\/v1\/(?:images|videos)(?:\/|$)/, "generating images and videos is", "call their provider for it"],
];

const ROUTE = "(?:chat/completions|responses|messages|embeddings|models|feedback)";

/** Paths that come of a wrong base URL of a client, each with its remedy. */
const WRONG_BASE: readonly (readonly [path: RegExp, remedy: string])[] = [
  [/\/v1\/v1(?:\/|$)/, "the client adds /v1 itself, so end its base URL without it"],
  [new RegExp(`${ROUTE}/+${ROUTE}`), "the client adds the route itself, so end its base URL with /v1, or before it"],
  [/\/\//, "end the client's base URL without a slash"],
  [new RegExp(`^/${ROUTE}(?:/|$)`), "end the client's base URL with /v1"],
];

/** Returns the error of a path or a method that does not exist. */
export function noRoute(request: FastifyRequest): InferenceError {
  const path = request.url.split("?", 1)[0] ?? "";
  const message = `there is no ${request.method} ${path} here`;
  const [, name, remedy] = OUT_OF_SCOPE.find(([pattern]) => pattern.test(path)) ?? [];
  const scope = name === undefined ? "" : `: ${name} not supported; ${remedy}`;
  const [, base] = WRONG_BASE.find(([pattern]) => pattern.test(path)) ?? [];
  const remedyOfBase = name !== undefined || base === undefined ? "" : `: ${base}`;
  return new InferenceError(ErrorReason.NOT_FOUND, message + scope + remedyOfBase);
}
