import { headerError } from "../hub/header-error.ts";
import { headerText } from "../lib/header-text.ts";
import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";

/** Most characters of the name of a workload. */
const MAX_WORKLOAD_LENGTH = 256;
/** Most answers that a request may ask for. */
const MAX_CANDIDATES = 4;

/** The settings of an inference from headers, or from RPC metadata; those that were not sent are absent. */
export interface InferenceHeaders {
  strict?: boolean;
  workload?: string;
  plain?: boolean;
  candidates?: number;
  maxCostNanos?: bigint;
  noTexts?: boolean;
}

/**
 * Reads the headers `attune-strict`, `attune-workload`, `attune-optimize`, `attune-candidates`, `attune-max-usd` and
 * `attune-store`, as `get` returns their texts. Throws INVALID_REQUEST.
 */
export function readInferenceHeaders(get: (name: string) => string | undefined): InferenceHeaders {
  const read: InferenceHeaders = {};
  const [strict, workload, optimize] = [
    get("attune-strict"),
    headerText(get("attune-workload")),
    get("attune-optimize"),
  ];
  const [candidates, maxUsd, store] = [get("attune-candidates"), get("attune-max-usd"), get("attune-store")];
  if (strict === "true" || strict === "false") read.strict = strict === "true";
  else if (strict !== undefined) throw headerError("attune-strict", "must be 'true' or 'false'");
  if (workload !== undefined) read.workload = readWorkload(workload);
  if (optimize === "on" || optimize === "off") read.plain = optimize === "off";
  else if (optimize !== undefined) throw headerError("attune-optimize", "must be 'on' or 'off'");
  if (candidates !== undefined) read.candidates = readCandidates(candidates);
  if (maxUsd !== undefined) read.maxCostNanos = readNanos(maxUsd);
  if (store === "none") read.noTexts = true;
  else if (store !== undefined) throw headerError("attune-store", "must be 'none'");
  return read;
}

function readNanos(text: string): bigint {
  const [, whole = "", places = ""] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const nanos = BigInt(whole + places.padEnd(9, "0"));
  if (nanos === 0n)
    throw headerError("attune-max-usd", "must be a decimal above 0 with at most 9 places, such as 0.05");
  return nanos;
}

function readCandidates(text: string): number {
  if (!/^[1-9]$/.test(text) || Number(text) > MAX_CANDIDATES) {
    throw headerError("attune-candidates", `must be a number from 1 to ${MAX_CANDIDATES}`);
  }
  return Number(text);
}

function readWorkload(text: string): string {
  if (text.length > MAX_WORKLOAD_LENGTH) {
    throw headerError("attune-workload", `must have at most ${MAX_WORKLOAD_LENGTH} characters, not ${text.length}`);
  }
  const problem = hiddenCharacterProblem(text);
  if (problem !== undefined) throw headerError("attune-workload", problem);
  return text;
}
