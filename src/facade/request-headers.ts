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

/** What headers say of an inference; a header that was not sent is absent. */
interface HeaderFacts {
  strict?: boolean;
  workload?: string;
  betas?: string[];
}

/** Reads the request headers that bear on the inference. Throws INVALID_REQUEST. */
export function readRequestHeaders(headers: IncomingHttpHeaders): HeaderFacts {
  const { "attune-strict": strict, "attune-workload": workload, "anthropic-beta": betas } = headers;
  const read: HeaderFacts = {};
  if (strict === "true") read.strict = true;
  else if (strict !== undefined && strict !== "false") {
    throw InferenceError.invalid("attune-strict", "this header must be 'true' or 'false'");
  }
  if (typeof workload === "string") read.workload = workload;
  if (typeof betas === "string") read.betas = splitList(betas);
  return read;
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
