import type { FastifyRequest } from "fastify";
import { ErrorReason, InferenceError } from "../hub/error.ts";

/** Parts of the providers' APIs that this service does not have, by the beginning of their paths. */
const OUT_OF_SCOPE: readonly (readonly [path: RegExp, name: string, remedy: string])[] = [
  [/\/v1\/(?:files|uploads)(?:\/|$)/, "files are", "send images and documents inside requests"],
  [/\/v1\/(?:messages\/)?batches(?:\/|$)/, "batches are", "send the requests one by one"],
  [/\/v1\/audio(?:\/|$)/, "audio is", "call its provider for it"],
  [/\/v1\/(?:images|videos)(?:\/|$)/, "generating images and videos is", "call their provider for it"],
];

/** Returns the error of a path or a method that does not exist. */
export function noRoute(request: FastifyRequest): InferenceError {
  const path = request.url.split("?", 1)[0] ?? "";
  const message = `there is no ${request.method} ${path} here`;
  const [, name, remedy] = OUT_OF_SCOPE.find(([pattern]) => pattern.test(path)) ?? [];
  const scope = name === undefined ? "" : `: ${name} out of the scope of this service; ${remedy}`;
  return new InferenceError(ErrorReason.NOT_FOUND, message + scope);
}
