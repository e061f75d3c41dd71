import { createHash } from "node:crypto";
import { hashedCallId } from "../../shared/hashed-call-id.ts";
import type { Translation } from "./translation.ts";

/** Characters that OpenAI takes; it answers longer ones with 400. */
const MAX_LENGTH = 40;

/** The ids that Mistral makes, and takes alone. */
const NINE = /^[a-zA-Z0-9]{9}$/;

/**
 * Maps the identifier of a tool call to one that the server takes. A caller of this format keeps the identifier that
 * was sent: other servers have no limit of 40 characters, and some keep state in it.
 */
export function callIdFromToolUse(id: string, { isNative, profile }: Translation): string {
  if (profile.callIds === "alphanumeric9" && !NINE.test(id)) {
    return createHash("sha256").update(id).digest("hex").slice(0, 9);
  }
  return isNative || id.length <= MAX_LENGTH ? id : hashedCallId(id, MAX_LENGTH);
}
