import { hashedCallId } from "../../shared/hashed-call-id.ts";
import type { Translation } from "./translation.ts";

/** Characters that OpenAI takes; it answers longer ones with 400. */
const MAX_LENGTH = 40;

/**
 * Maps the identifier of a tool call to one that is short enough. A caller of this format keeps the identifier that was
 * sent: other servers have no such limit, and some keep state in it.
 */
export function callIdFromToolUse(id: string, { isNative }: Translation): string {
  return isNative || id.length <= MAX_LENGTH ? id : hashedCallId(id, MAX_LENGTH);
}
