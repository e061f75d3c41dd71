import { type CallOptions, type ContextValues, createContextValues } from "@connectrpc/connect";
import type { Admission } from "../../admission/admission.ts";
import { ADMISSION, type FacadeIngress, IDEMPOTENCY, INGRESS, SUMMARY } from "../../admission/context-key.ts";
import type { IdempotencyKey } from "../../hub/idempotency-key.ts";
import type { RequestSummary } from "../../hub/request-summary.ts";

/** Options of a call in the name of an admitted caller, who is not judged again. */
export type AdmittedCall = CallOptions & { readonly contextValues: ContextValues };

/** The facts of an admitted call that its headers do not say. */
interface CallContext {
  readonly admission: Admission;
  readonly idempotency?: IdempotencyKey | undefined;
  readonly summary: RequestSummary | undefined;
}

/** Creates the options. A service in another process judges by the headers. */
export function admittedCall(
  { admission, idempotency, summary }: CallContext,
  options: Pick<CallOptions, "timeoutMs"> & { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): AdmittedCall {
  const contextValues = createContextValues()
    .set(ADMISSION, admission)
    .set(IDEMPOTENCY, idempotency ?? "none")
    .set(SUMMARY, summary);
  return { ...options, contextValues };
}

/** Adds to the options of a call how its request came in, which its message does not say; returns them. */
export function callFor({ dialect, echo }: FacadeIngress, call: AdmittedCall): AdmittedCall {
  call.contextValues.set(INGRESS, { dialect, echo });
  return call;
}
