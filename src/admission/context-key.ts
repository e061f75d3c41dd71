import { type ContextKey, createContextKey } from "@connectrpc/connect";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { Ingress } from "../hub/input.ts";
import type { Admission } from "./admission.ts";

/** Where a call carries its admission; undefined for a call whose headers nobody has judged yet. */
export const ADMISSION: ContextKey<Admission | undefined> = createContextKey<Admission | undefined>(undefined, {
  description: "admission",
});

/** What the facade knows of a request beside its message. */
export type FacadeIngress = Pick<Ingress, "dialect" | "echo">;

/** Where a call of the facade, in this process, says how its request came in. Nobody can say so from outside: a call without it came over RPC. */
export const INGRESS: ContextKey<FacadeIngress> = createContextKey<FacadeIngress>(
  { dialect: Dialect.UNSPECIFIED },
  { description: "ingress" },
);
