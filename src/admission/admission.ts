import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Authenticator, Identified, Principal } from "../hub/principal.ts";

/** The headers of a request that say who sends it; undefined where one did not come. */
interface CallerHeaders {
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
}

/** The admission of a request, decided from its headers alone. Only an admitted request is read. */
export interface Admission {
  readonly principal: Principal;
}

/**
 * Judges a request before its body is read: at once where the key is known, else when the database has answered.
 * Throws, or rejects with, UNAUTHENTICATED, or UNAVAILABLE if the key cannot be judged.
 */
export type Admit = (headers: CallerHeaders) => Admission | Promise<Admission>;

/** Creates the one step that every request of the public API passes, HTTP and RPC alike. */
export function createAdmission(authenticator: Authenticator): Admit {
  return (headers) => {
    const found = authenticator.authenticate(readSecret(headers));
    return found instanceof Promise ? found.then(admitPrincipal) : admitPrincipal(found);
  };
}

function admitPrincipal(found: Identified): Admission {
  if (found !== undefined && !("rejected" in found)) return { principal: found };
  // Whoever has guessed a former key is not told that it was one.
  const message = "the API key is not known, or was revoked";
  throw new InferenceError(ErrorReason.UNAUTHENTICATED, message, { rejectedKey: found });
}

function readSecret({ authorization, apiKey }: CallerHeaders): string {
  if (authorization === undefined) {
    if (apiKey !== undefined) return apiKey;
    throw new InferenceError(
      ErrorReason.UNAUTHENTICATED,
      "no API key came with the request: send it as 'authorization: Bearer KEY' or 'x-api-key: KEY'",
    );
  }
  const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (bearer === undefined) {
    throw new InferenceError(ErrorReason.UNAUTHENTICATED, "the authorization header must have the form 'Bearer KEY'");
  }
  if (apiKey === undefined || apiKey === bearer) return bearer;
  throw new InferenceError(
    ErrorReason.UNAUTHENTICATED,
    "the headers 'authorization' and 'x-api-key' hold different keys: send one of them",
  );
}
