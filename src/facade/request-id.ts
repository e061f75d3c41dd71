import type { IncomingHttpHeaders } from "node:http";
import { newId } from "../lib/ids.ts";

/** The form of a caller's request id: it stands in headers, lines of the log and addresses. */
const REQUEST_ID = /^[\w.:@+=/-]{1,128}$/;

/** Returns the id that the caller gave to its request in `x-request-id`; a new one where there is none of that form. */
export function readRequestId({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : newId();
}
