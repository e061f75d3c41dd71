import { SESSION_MS } from "../../hub/sessions.ts";
import { idTimeMs } from "../../lib/ids.ts";

/** Returns the calls of a session, which come with the newest first, up to a pause that ended the session before. */
export function latestSession<Call extends { readonly id: string }>(calls: readonly Call[]): readonly Call[] {
  const end = calls.findIndex((call, at) => {
    const later = calls[at - 1];
    return later !== undefined && (idTimeMs(later.id) ?? 0) - (idTimeMs(call.id) ?? 0) > SESSION_MS;
  });
  return end === -1 ? calls : calls.slice(0, end);
}
