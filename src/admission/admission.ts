import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Authenticator, Identified, Principal, RejectedKey } from "../hub/principal.ts";
import { whenAvailable } from "../hub/when-available.ts";
import { ADMIN_KEY_PREFIX, type AdminAuthenticator, type Administrator } from "../vocabulary/administrator.ts";
import { FEEDBACK_TOKEN_PREFIX } from "./feedback-token.ts";

/** The headers of a request that say who sends it; undefined where one did not come. */
interface CallerHeaders {
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  /** Network address of the caller; absent where it is not known. */
  readonly address?: string | undefined;
}

/** The admission of a request, decided from its headers alone. Only an admitted request is read. */
export interface Admission {
  readonly principal: Principal;
  /** The caller of the administrative service; undefined for every other call. */
  readonly administrator?: Administrator;
}

/**
 * Judges a request before its body is read: at once where the key is known, else when the database has answered.
 * Throws, or rejects with, UNAUTHENTICATED, or UNAVAILABLE if the key cannot be judged.
 */
export type Admit = (headers: CallerHeaders) => Admission | Promise<Admission>;

/** Creates the one step that every request of the public API passes, HTTP and RPC alike. */
export function createAdmission(authenticator: Pick<Authenticator, "authenticate">): Admit {
  return (headers) => {
    const secret = readSecret(headers);
    if (secret.startsWith(ADMIN_KEY_PREFIX)) throw forbidden(ADMIN_KEY_CALLS);
    if (secret.startsWith(FEEDBACK_TOKEN_PREFIX)) throw forbidden(TOKEN_CALLS);
    const found = authenticator.authenticate(secret);
    return found instanceof Promise ? found.then(admitPrincipal) : admitPrincipal(found);
  };
}

/** Creates the same step of the administrative service, which admin keys alone pass. */
export function createAdminAdmission(authenticator: AdminAuthenticator): Admit {
  return async (headers) => {
    const secret = readSecret(headers);
    if (!secret.startsWith(ADMIN_KEY_PREFIX)) throw forbidden(API_KEY_ADMINISTERS);
    const found = await whenAvailable(authenticator.authenticate(secret), "the admin key cannot be checked");
    if (found === undefined || "rejected" in found) throw unauthenticated("the admin key is not known, or was revoked");
    return admitAdministrator(found);
  };
}

/** Admits whom somebody else has recognised. */
function admitAdministrator(administrator: Administrator): Admission {
  return { principal: { keyId: administrator.id, projectId: administrator.projectId ?? "" }, administrator };
}

const ADMIN_KEY_CALLS =
  "this is an admin key, which administers and calls no models: use an API key, which 'attune keys create' makes";
const TOKEN_CALLS =
  "this is a feedback token, which is for POST /v1/feedback and CreateFeedback alone: use an API key for all else";
const API_KEY_ADMINISTERS =
  "this isn't an admin key: API keys call models; 'attune admin-keys create' creates admin keys";

function forbidden(message: string): InferenceError {
  return new InferenceError(ErrorReason.PERMISSION_DENIED, message);
}

function unauthenticated(message: string): InferenceError {
  return new InferenceError(ErrorReason.UNAUTHENTICATED, message);
}

function admitPrincipal(found: Identified): Admission {
  if (found !== undefined && !("rejected" in found)) return { principal: found };
  if (found?.rejected === "paused_key") throw pausedKey(found);
  // Whoever has guessed a former key is not told that it was one.
  const message = "the API key is not known, or was revoked";
  throw new InferenceError(ErrorReason.UNAUTHENTICATED, message, { rejectedKey: found });
}

/** Returns the refusal of a paused key, whose owner has done nothing wrong and gets no other key. */
export function pausedKey(found: RejectedKey): InferenceError {
  const { keyId } = found.owner;
  const message = `the API key ${keyId} is paused: resume it under API keys on the dashboard, or with 'attune keys resume ${keyId}'`;
  return new InferenceError(ErrorReason.PERMISSION_DENIED, message, { rejectedKey: found });
}

/** Returns the key or token of a request. Throws UNAUTHENTICATED for none, and for two that differ. */
export function readSecret({ authorization, apiKey }: CallerHeaders): string {
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
    "the headers 'authorization' and 'x-api-key' have different keys: send only one of them",
  );
}
