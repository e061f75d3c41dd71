import { isJsonObject, type JsonObject, parseJsonObject } from "../../formats/shared/json.ts";

/** Bytes up to which a frame is looked at for steering: it holds what a user adds to a running response. */
const MOST_BYTES = 256 * 1024;

/** Reads a frame that steers a running response; undefined for any other. */
export function readSteering(data: Buffer): JsonObject | undefined {
  if (data.length > MOST_BYTES || !data.includes('"response.steer"')) return undefined;
  const frame = parseJsonObject(data.toString());
  return frame?.["type"] === "response.steer" ? frame : undefined;
}

/**
 * Encodes the answer to such a frame at once, while the response goes on: its input comes back, for the client to send
 * with its next request. Upstreams are reached over HTTP, where none can be steered.
 */
export function steeringFailed({ input, previous_response_id, response_id }: JsonObject): string {
  const isInput = typeof input === "string" || (Array.isArray(input) && input.length > 0 && input.every(isJsonObject));
  const error = isInput
    ? {
        code: "steering_not_supported",
        message: "responses cannot be steered here: send the input when this one has ended",
      }
    : { code: "invalid_input", message: "input: must be a text or an array of user messages" };
  return JSON.stringify({
    type: "response.steer.failed",
    sequence_number: 0,
    error: { type: "invalid_request_error", ...error },
    steer: { input: input ?? null, previous_response_id: previous_response_id ?? response_id ?? null },
  });
}
