import { hashedCallId } from "../../shared/hashed-call-id.ts";

/** Characters that a `call_id` may have. */
const MAX_LENGTH = 64;

/** Maps the identifier of a tool call to one that is short enough for a `call_id`. */
export function callIdFromToolUse(id: string): string {
  return id.length <= MAX_LENGTH ? id : hashedCallId(id, MAX_LENGTH);
}
