import type { HandlerContext } from "@connectrpc/connect";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import type { Caller } from "../inference/service.ts";

/** Reads who calls from the request's headers. Throws UNAUTHENTICATED for headers that contradict each other. */
export function callerOf(context: HandlerContext): Caller {
  return { secret: readSecret(context.requestHeader), signal: context.signal };
}

function readSecret(headers: Headers): string | undefined {
  const authorization = headers.get("authorization");
  const apiKey = headers.get("x-api-key") ?? undefined;
  if (authorization === null) return apiKey;
  const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (bearer === undefined) {
    throw new InferenceError(ErrorReason.UNAUTHENTICATED, "the authorization header must have the form 'Bearer KEY'");
  }
  if (apiKey !== undefined && apiKey !== bearer) {
    throw new InferenceError(
      ErrorReason.UNAUTHENTICATED,
      "the headers 'authorization' and 'x-api-key' hold different keys: send one of them",
    );
  }
  return bearer;
}
