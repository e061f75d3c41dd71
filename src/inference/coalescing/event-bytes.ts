import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** The rough size of an object in memory, beside its texts. */
const OBJECT_BYTES = 64;

/** Estimates how many bytes events take in memory: two for each character, and some for each object. */
export function eventBytes(events: readonly GenerateEvent[]): number {
  let bytes = OBJECT_BYTES;
  for (const { event } of events) {
    // Nearly every event is a piece of a text.
    const isText = event.case === "blockDelta" && typeof event.value.delta.value === "string";
    if (isText && event.value.extension === undefined && event.value.logprobs === undefined) {
      bytes += 5 * OBJECT_BYTES + 2 * (event.value.delta.value as string).length;
    } else bytes += OBJECT_BYTES + getBytes(event);
  }
  return bytes;
}

function getBytes(value: unknown): number {
  if (typeof value === "string") return 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  let bytes = OBJECT_BYTES;
  for (const member of Object.values(value)) bytes += getBytes(member);
  return bytes;
}
