import { isJsonObject, type JsonObject } from "./json.ts";

/**
 * Words by which servers refuse a prompt for its content with 403, with which others refuse a key. OpenRouter:
 * "requires moderation and your input was flagged", "Request blocked: prompt injection patterns detected"
 * (openrouter.ai/docs/api/reference/errors-and-debugging); Azure: "content management policy".
 */
const MODERATED =
  /\bmoderat|\bflagged\b|content[ _-]?(?:filter|polic|management|safety)|\bguardrail|prompt injection|safety (?:filter|polic|reason|system)/i;

/** Words of a refusal that is meant for this service: a flagged account, a key without a permission. */
const OF_ACCOUNT = /\b(?:accounts?|api[ -]?keys?|organi[sz]ations?|credentials?|subscriptions?|billing)\b/i;

/** Longest part of a message that is looked at. */
const LOOKED_AT = 2000;

/** Tells whether an error with the status 403 is about the prompt's content, and not about who asks. */
export function isModeration(error: JsonObject, message: string): boolean {
  const { metadata, innererror } = error;
  // OpenRouter's: reasons and flagged_input. Azure's: content_filter_result.
  if (isJsonObject(metadata) && (Array.isArray(metadata["reasons"]) || "flagged_input" in metadata)) return true;
  if (isJsonObject(innererror) && "content_filter_result" in innererror) return true;
  const looked = message.slice(0, LOOKED_AT);
  return MODERATED.test(looked) && !OF_ACCOUNT.test(looked);
}
