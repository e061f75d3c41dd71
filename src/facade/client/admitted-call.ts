import { type CallOptions, type ContextValues, createContextValues } from "@connectrpc/connect";
import type { Admission } from "../../admission/admission.ts";
import { ADMISSION, type FacadeIngress, INGRESS } from "../../admission/context-key.ts";

/** Options of a call in the name of an admitted caller, who is not judged again. */
export type AdmittedCall = CallOptions & { readonly contextValues: ContextValues };

/** Creates the options. A service in another process judges by the headers. */
export function admittedCall(
  admission: Admission,
  options: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): AdmittedCall {
  return { ...options, contextValues: createContextValues().set(ADMISSION, admission) };
}

/**
 * Returns the options of a call for a request of a public format, with how it came in, which its message does not say.
 */
export function callFor({ dialect, echo }: FacadeIngress, call: AdmittedCall): AdmittedCall {
  const admission = call.contextValues.get(ADMISSION);
  const contextValues = createContextValues().set(ADMISSION, admission).set(INGRESS, { dialect, echo });
  return { ...call, contextValues };
}
