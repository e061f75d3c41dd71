import { Buffer } from "node:buffer";
import { isUuid } from "../lib/ids.ts";
import { readOwnItemId } from "./item-references.ts";

const UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

/**
 * The id of an answer behind the prefixes that clients and formats put before it, with or without hyphens, and before
 * the position that LangChain puts behind a run's.
 */
const WRAPPED =
  /^(?:(?:chatcmpl|resp|msg|cmpl|gen|run|lc_run)(?:_|--?)|urn:uuid:)?([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})(\.\d{1,3})?(?:(?<=^(?:lc_)?run.*)-\d{1,3})?$/i;

/** The text that LiteLLM writes in base64 behind `resp_`: `litellm:custom_llm_provider:P;model_id:M;response_id:ID`. */
const LITELLM = new RegExp(`(?:^|;)response_id:(?:resp_)?(${UUID})(?:;|$)`);
const BASE64 = /^resp_([A-Za-z0-9+/=_-]{48,2048})$/;

/**
 * Takes the id of an answer out of the forms that clients are known to make of it: one with a prefix, one of an item of
 * the answer, and LiteLLM's. Any other text stays.
 */
function unwrapAnswerId(text: string): string {
  const [whole, ...parts] = WRAPPED.exec(text) ?? [];
  if (whole !== undefined) return parts.slice(0, 5).join("-") + (parts[5] ?? "");
  const item = readOwnItemId(text);
  if (item !== undefined) return item.inferenceId;
  const [, packed] = BASE64.exec(text) ?? [];
  if (packed === undefined) return text;
  return LITELLM.exec(Buffer.from(packed, "base64").toString("latin1"))?.[1] ?? text;
}

/** An answer that feedback may be on: the one that was given, or with `attempt` that of a candidate which was not. */
export interface AnswerId {
  readonly inferenceId: string;
  /** Position of the attempt whose answer it is; null for the answer that was given. */
  readonly attempt: number | null;
}

/** The target of feedback: an answer, or a session, whose inference is then still to be found and has no id so far. */
export interface FeedbackTarget extends AnswerId {
  /** Null for an answer. */
  readonly sessionId: string | null;
}

const CANDIDATE = /^([^.]*)\.(0|[1-9]\d{0,2})$/;

/**
 * Writes the id of an answer: that of its inference, and of a candidate that was not given also its position, after a
 * dot.
 */
export function writeAnswerId({ inferenceId, attempt }: AnswerId): string {
  return attempt === null ? inferenceId : `${inferenceId}.${attempt}`;
}

/**
 * Reads the id of an answer, in either case, also in the forms that clients make of it; undefined for what has not the
 * form of one.
 */
export function readAnswerId(written: string): AnswerId | undefined {
  const text = unwrapAnswerId(written);
  const [, inferenceId = text, position] = CANDIDATE.exec(text) ?? [];
  if (!isUuid(inferenceId)) return undefined;
  return { inferenceId: inferenceId.toLowerCase(), attempt: position === undefined ? null : Number(position) };
}
