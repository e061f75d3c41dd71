import type { IncomingHttpHeaders } from "node:http";
import { InferenceError } from "../inference/error.ts";

/** Returns the headers that say who calls, for the RPC to judge. */
export function keyHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const { authorization, "x-api-key": apiKey } = headers;
  const found: Record<string, string> = {};
  if (authorization !== undefined) found["authorization"] = authorization;
  if (typeof apiKey === "string") found["x-api-key"] = apiKey;
  return found;
}

/** Reads the request headers that are Attune's own. Throws INVALID_REQUEST. */
export function readRequestHeaders(headers: IncomingHttpHeaders): { strict?: boolean; workload?: string } {
  const { "attune-strict": strict, "attune-workload": workload } = headers;
  const read: { strict?: boolean; workload?: string } = {};
  if (strict === "true") read.strict = true;
  else if (strict !== undefined && strict !== "false") {
    throw InferenceError.invalid("attune-strict", "this header must be 'true' or 'false'");
  }
  if (typeof workload === "string") read.workload = workload;
  return read;
}
