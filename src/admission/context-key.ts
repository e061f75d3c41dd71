import { type ContextKey, createContextKey } from "@connectrpc/connect";
import type { Admission } from "./admission.ts";

/** Where a call carries its admission; undefined for a call whose headers nobody has judged yet. */
export const ADMISSION: ContextKey<Admission | undefined> = createContextKey<Admission | undefined>(undefined, {
  description: "admission",
});

/** Where a call of the facade, in this process, says that it is one: what only the facade may say is refused from others. */
export const FROM_FACADE: ContextKey<boolean> = createContextKey<boolean>(false, { description: "from the facade" });
