import type { ErrorMeaning, ErrorWord } from "../../../catalog/facts.ts";
import { ErrorReason } from "../../../hub/error.ts";
import type { FoundError } from "./find-error.ts";

const REASONS: Readonly<Record<ErrorMeaning, ErrorReason>> = {
  context_length: ErrorReason.CONTEXT_LENGTH_EXCEEDED,
  model_not_found: ErrorReason.MODEL_NOT_FOUND,
  route_not_found: ErrorReason.UPSTREAM_MISCONFIGURED,
  invalid_request: ErrorReason.INVALID_REQUEST,
  request_too_large: ErrorReason.REQUEST_TOO_LARGE,
  rate_limited: ErrorReason.RATE_LIMITED,
  quota_exceeded: ErrorReason.QUOTA_EXCEEDED,
  content_filtered: ErrorReason.CONTENT_FILTERED,
  unauthenticated: ErrorReason.UPSTREAM_UNAUTHENTICATED,
  overloaded: ErrorReason.UPSTREAM_OVERLOADED,
  failed: ErrorReason.UPSTREAM_ERROR,
};

/** Longest part of a message that is compared. */
const LOOKED_AT = 2000;

/** Prefixes that gateways put before the words of a provider: `litellm.BadRequestError: XaiException - `, `openai error: `. */
const WRAPPERS = /^(?:(?:litellm\.)?\w{1,40}(?:error|exception)(?: -|:) |\w{1,20} error: ){1,4}/i;

/** A word, ready to be compared. */
interface Rule {
  readonly code: string | undefined;
  readonly message: RegExp | undefined;
  readonly reason: ErrorReason;
}

/** The rules of each list of words: a service has one for each upstream, and compares it for errors alone. */
const rules = new WeakMap<readonly ErrorWord[], readonly Rule[]>();

/** Returns what an error means by the words of its server, the first that fits; undefined where none does. */
export function reasonByWords(
  { codes, message = "" }: Pick<FoundError, "codes" | "message">,
  words: readonly ErrorWord[],
): ErrorReason | undefined {
  const looked = message.slice(0, LOOKED_AT);
  const unwrapped = looked.replace(WRAPPERS, "");
  const fits = ({ code, message: pattern }: Rule): boolean =>
    (code === undefined || codes.includes(code)) &&
    (pattern === undefined || pattern.test(looked) || pattern.test(unwrapped));
  return getRules(words).find(fits)?.reason;
}

function getRules(words: readonly ErrorWord[]): readonly Rule[] {
  const known = rules.get(words);
  if (known !== undefined) return known;
  const made = words.map(({ code, message, means }) => ({
    code,
    message: message === undefined ? undefined : new RegExp(message, "i"),
    reason: REASONS[means],
  }));
  rules.set(words, made);
  return made;
}
