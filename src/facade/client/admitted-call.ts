import { type CallOptions, createContextValues } from "@connectrpc/connect";
import type { Admission } from "../../admission/admission.ts";
import { ADMISSION, FROM_FACADE } from "../../admission/context-key.ts";

/** Options of a call in the name of an admitted caller, who is not judged again. */
export type AdmittedCall = CallOptions;

/** Creates the options. A service in another process judges by the headers. */
export function admittedCall(
  admission: Admission,
  options: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): AdmittedCall {
  return { ...options, contextValues: createContextValues().set(ADMISSION, admission).set(FROM_FACADE, true) };
}
