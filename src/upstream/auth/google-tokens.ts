import { sign } from "node:crypto";
import type { JsonObject } from "../../formats/shared/json.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { type CredentialSource, unreadable } from "./ask-for-credential.ts";
import type { BearerToken } from "./request-signer.ts";

/** The scope of Vertex AI; what may be done is decided by roles. */
export const SCOPE = "https://www.googleapis.com/auth/cloud-platform";

const ASSERTION_SECONDS = 3600;

/** Signs the assertion of a service account (developers.google.com/identity/protocols/oauth2/service-account). */
export function createAssertion(credentials: JsonObject, audience: string, now = Date.now()): string {
  const issuedAt = Math.floor(now / 1000);
  const header = { alg: "RS256", typ: "JWT", kid: credentials["private_key_id"] };
  const email = readMember(credentials, "client_email");
  const claims = { iss: email, scope: SCOPE, aud: audience, iat: issuedAt, exp: issuedAt + ASSERTION_SECONDS };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  try {
    const signature = sign("RSA-SHA256", Buffer.from(text), readMember(credentials, "private_key"));
    return `${text}.${signature.toString("base64url")}`;
  } catch (thrown) {
    if (thrown instanceof InferenceError) throw thrown;
    // What OpenSSL says of a key stays out of errors.
    throw incomplete("private_key");
  }
}

/** Reads a member of a file of credentials. Throws UPSTREAM_MISCONFIGURED. */
export function readMember(credentials: JsonObject, name: string): string {
  const value = credentials[name];
  if (typeof value === "string" && value !== "") return value;
  throw incomplete(name);
}

function incomplete(name: string): InferenceError {
  const message = `the file of auth.credentialsFile has no '${name}' that can be used`;
  return new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message);
}

/** Reads a token as endpoints of OAuth 2.0 tell it. */
export function toToken(json: JsonObject, source: CredentialSource): BearerToken {
  const { access_token: token, expires_in: span } = json;
  if (typeof token !== "string" || token === "" || !(Number(span) > 0)) throw unreadable(source);
  return { token, expiresAtMs: Date.now() + Number(span) * 1000 };
}
