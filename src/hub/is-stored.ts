import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "./input.ts";

/**
 * Tells whether an inference is to be stored: as a thread has to be, as its caller said, or as its dialect does for
 * those who do not say.
 */
export function isStored({ store, thread, dialect }: Pick<HubInput, "store" | "thread" | "dialect">): boolean {
  return thread || (store ?? (dialect === Dialect.RESPONSES || dialect === Dialect.UNSPECIFIED));
}
