/**
 * A kind of failure of a provider: it does not answer, it says no, or what it says does not hold. Only a refusal ends a
 * session.
 */
type ProviderFailure = "unavailable" | "refused" | "invalid";

/** A failure of a provider. Its message is for people; `code` is for the log. Neither has a token. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly kind: ProviderFailure;
  readonly code: string;

  constructor(kind: ProviderFailure, code: string, message: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

interface Facts {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly status?: unknown;
}

const REFUSED_STATUS = 500;

/** Words for what a person can do about a failure. */
const MESSAGES: Readonly<Record<ProviderFailure, string>> = {
  unavailable: "the sign-in provider can't be reached right now: try again shortly",
  refused: "the sign-in provider did not let you in",
  invalid: "the sign-in provider's answer isn't valid: sign in again",
};

/** Codes of failures of which the answer never came, or came as something else than an answer. */
const UNAVAILABLE = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
]);

/** Reads a failure of the library. What else it carries, such as bodies with tokens, is left behind. */
export function toProviderError(thrown: unknown): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const { code, error, status }: Facts = typeof thrown === "object" && thrown !== null ? thrown : {};
  const text = String(error ?? code ?? (thrown instanceof Error ? thrown.name : "unknown")).slice(0, 100);
  const kind = classify(thrown, { code, error, status });
  return new ProviderError(kind, text, MESSAGES[kind]);
}

function classify(thrown: unknown, { code, error, status }: Facts): ProviderFailure {
  // fetch() rejects with a TypeError of this name alone where there is no connection.
  if (thrown instanceof TypeError && code === undefined) return "unavailable";
  if (typeof error === "string") {
    const isAway = error === "temporarily_unavailable" || error === "server_error" || Number(status) >= REFUSED_STATUS;
    return isAway ? "unavailable" : "refused";
  }
  return UNAVAILABLE.has(String(code)) ? "unavailable" : "invalid";
}
