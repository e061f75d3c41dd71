import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Authenticator, Identified, RejectedKey } from "../hub/principal.ts";
import type { Signer } from "../lib/signer.ts";
import { toNetwork } from "../lib/to-network.ts";
import { addressRater } from "../vocabulary/raters.ts";
import { type Admission, type Admit, pausedKey, readSecret } from "./admission.ts";
import { decodeFeedbackToken, FEEDBACK_TOKEN_PREFIX, type FeedbackToken } from "./feedback-token.ts";
import type { TokenRates } from "./token-rates.ts";

/** The ports of the admission of feedback. */
interface FeedbackAdmissionPorts {
  readonly authenticator: Pick<Authenticator, "findKey">;
  readonly signer: Signer;
  readonly rates: TokenRates;
  /** Judges all other keys. */
  readonly admit: Admit;
}

/** The end of a token, which tells it from others. */
const SIGNATURE_CHARACTERS = 32;
/** Bytes of the keyed hash by which an address is kept. */
const RATER_BYTES = 12;

const REMEDY = "have your server make a new one by POST /v1/feedback/tokens";

/** Creates the step that calls pass which send feedback: with an API key, or with a token that one has made. */
export function createFeedbackAdmission({ authenticator, signer, rates, admit }: FeedbackAdmissionPorts): Admit {
  return (headers) => {
    const secret = readSecret(headers);
    if (!secret.startsWith(FEEDBACK_TOKEN_PREFIX)) return admit(headers);
    const token = decodeFeedbackToken(signer, secret);
    if (token === undefined) throw refused(`the feedback token isn't from this service: ${REMEDY}`);
    const rater = headers.address === undefined ? undefined : raterAt(signer, headers.address);
    const found = authenticator.findKey(token.keyId);
    const admitted = (key: Identified): Admission => {
      const admission = admitToken(token, key, rater);
      const target = JSON.stringify([token.keyId, token.target]);
      rates.count({ token: secret.slice(-SIGNATURE_CHARACTERS), target, address: rater });
      return admission;
    };
    return found instanceof Promise ? found.then(admitted) : admitted(found);
  };
}

/** Addresses are kept nowhere: without the key of the installation, nobody tells which one a rater is. */
function raterAt(signer: Signer, address: string): string {
  const text = { purpose: "feedback-rater", label: "1", payload: toNetwork(address) };
  return addressRater(signer.sign(text, RATER_BYTES).toString("base64url"));
}

function admitToken(
  { target, expiresAtMs, metrics }: FeedbackToken,
  key: Identified,
  rater: string | undefined,
): Admission {
  if (key !== undefined && "rejected" in key && key.rejected === "paused_key") throw pausedKey(key);
  if (key === undefined || "rejected" in key) {
    throw refused(`the key that made the feedback token was revoked, or has expired: ${REMEDY}`, key);
  }
  const { keyId, projectId } = key;
  if (expiresAtMs <= Date.now()) {
    throw refused(`the feedback token has expired: ${REMEDY}`, {
      rejected: "expired_key",
      owner: { keyId, projectId },
    });
  }
  return { principal: { keyId, projectId, feedbackOn: { ...target, rater, metrics } } };
}

function refused(message: string, rejectedKey?: RejectedKey): InferenceError {
  return new InferenceError(ErrorReason.UNAUTHENTICATED, message, { rejectedKey });
}
