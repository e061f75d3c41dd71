import type { KeyObject } from "node:crypto";
import type { FeedbackTarget } from "../hub/answer-ids.ts";
import type { GrantedMetrics } from "../hub/principal.ts";
import { type SignedText, Signer } from "../lib/signer.ts";

/** Begins every feedback token: what has it is never looked for among the keys of calls. */
export const FEEDBACK_TOKEN_PREFIX = "attfb_";

/** The content of a token, which everybody can read. */
export interface FeedbackToken {
  /** Public id of the key that made it. */
  readonly keyId: string;
  /** The only answer, or session, that it sends feedback on. */
  readonly target: FeedbackTarget;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** The metrics and notes that it sends; all if absent. */
  readonly metrics?: GrantedMetrics | undefined;
}

/** Bytes of a signature: their text has no spare bits, so that it has one form. */
const SIGNATURE_BYTES = 24;

/** `attfb_`, the content, a dot and the signature. */
const TOKEN = /^attfb_([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{32})$/;

/** Creates the signer of tokens: they are of the installation, and their key has the project. */
export function feedbackSigner(signingKey: KeyObject): Signer {
  return new Signer(signingKey, "installation");
}

/** Writes and signs a token. */
export function encodeFeedbackToken(signer: Signer, { keyId, target, expiresAtMs, metrics }: FeedbackToken): string {
  const { inferenceId, attempt, sessionId } = target;
  const content = JSON.stringify([keyId, inferenceId, attempt, sessionId, expiresAtMs, metrics]);
  const payload = Buffer.from(content).toString("base64url");
  const signature = signer.sign(textOf(payload), SIGNATURE_BYTES).toString("base64url");
  return `${FEEDBACK_TOKEN_PREFIX}${payload}.${signature}`;
}

/** Reads a token; undefined for one that this installation did not sign as it is. It may have expired. */
export function decodeFeedbackToken(signer: Signer, text: string): FeedbackToken | undefined {
  const [, payload, signature] = TOKEN.exec(text) ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  if (!signer.verifies(Buffer.from(signature, "base64url"), textOf(payload), SIGNATURE_BYTES)) return undefined;
  const content = Buffer.from(payload, "base64url").toString();
  // It is signed, so that it has the form that was written.
  const [keyId, inferenceId, attempt, sessionId, expiresAtMs, metrics] = JSON.parse(content) as [
    string,
    string,
    number | null,
    string | null,
    number,
    GrantedMetrics | null | undefined,
  ];
  return { keyId, target: { inferenceId, attempt, sessionId }, expiresAtMs, metrics: metrics ?? undefined };
}

function textOf(payload: string): SignedText {
  return { purpose: "feedback-token", label: "1", payload };
}
