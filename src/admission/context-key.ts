import { type ContextKey, createContextKey } from "@connectrpc/connect";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { IdempotencyKey } from "../hub/idempotency-key.ts";
import type { Ingress } from "../hub/input.ts";
import type { RequestSummary } from "../hub/request-summary.ts";
import type { Admission } from "./admission.ts";

/** The context key of a call's admission; undefined for a call that is not admitted yet. */
export const ADMISSION: ContextKey<Admission | undefined> = createContextKey<Admission | undefined>(undefined, {
  description: "admission",
});

/**
 * The context key of the idempotency key of a call, as the facade read it: "none" for a request without one. Undefined
 * for a call that came over RPC, whose metadata is still to be read.
 */
export const IDEMPOTENCY: ContextKey<IdempotencyKey | "none" | undefined> = createContextKey<
  IdempotencyKey | "none" | undefined
>(undefined, { description: "idempotency" });

/** The context key of the summary of the request that a call belongs to; undefined where nobody makes one. */
export const SUMMARY: ContextKey<RequestSummary | undefined> = createContextKey<RequestSummary | undefined>(undefined, {
  description: "summary",
});

/** The facade's facts of a request beside its message. */
export type FacadeIngress = Pick<Ingress, "dialect" | "echo">;

/**
 * The context key for how a request of the facade came in. It cannot be set from outside: a call without it came over
 * RPC.
 */
export const INGRESS: ContextKey<FacadeIngress> = createContextKey<FacadeIngress>(
  { dialect: Dialect.UNSPECIFIED },
  { description: "ingress" },
);
