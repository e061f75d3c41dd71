import { hashedCallId } from "../../shared/hashed-call-id.ts";

/** Identifiers that Anthropic takes. */
const VALID = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;

/** Maps the identifier of a tool call to one that Anthropic takes. A valid one stays. */
export function toolUseIdToMessages(id: string): string {
  return VALID.test(id) ? id : hashedCallId(id, MAX_LENGTH, id.replace(/[^a-zA-Z0-9_-]/g, "_"));
}
