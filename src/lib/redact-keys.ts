/** The patterns of providers' secrets; some providers repeat them in their error messages, in part or whole. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|hf|key|ak|pplx|nvapi|fw|csk)[-_][\w*.-]{6,}/gi,
  /\bAIza[\w*-]{10,}/g,
  /\b(?:bearer|basic)\s+[\w*.~+/=-]{8,}/gi,
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/g,
  // A masked secret of any form, such as ab12****wxyz.
  /(?<![\w-])[\w-]*(?:\*{4,}[\w-]*)+/g,
  // A word of hexadecimal or base64 that is too long to be prose, and not the id of something in the request.
  /\b(?!(?:resp|msg|rs|fc|ctc|call|toolu|req|file|conv|item|chatcmpl)_)(?=\w*\d)(?=\w*[A-Za-z])\w{32,}\b/g,
];

/** Replaces everything that looks like a key or a token, so that a provider's message may be shown. */
export function redactKeys(text: string): string {
  return SECRETS.reduce((clean, secret) => clean.replace(secret, "[redacted]"), text);
}
