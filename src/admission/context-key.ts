import { type ContextKey, createContextKey } from "@connectrpc/connect";
import type { Admission } from "./admission.ts";

/** Where a call carries its admission; undefined for a call whose headers nobody has judged yet. */
export const ADMISSION: ContextKey<Admission | undefined> = createContextKey<Admission | undefined>(undefined, {
  description: "admission",
});
