import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { ADMISSION } from "../admission/context-key.ts";
import type { NoteFailedCall } from "../admission/refused-calls.ts";
import { InferenceError } from "../hub/error.ts";

/** Takes note of an RPC that fails. A request gate: Connect hands each failure to the call's signal. */
export function watchRefusals({ signal, method, values }: HandlerContext, note: NoteFailedCall): void {
  signal.addEventListener("abort", () => {
    const error = errorOf(signal.reason);
    const call = `${method.parent.typeName}/${method.name}`;
    if (error !== undefined) note(error, { call, principal: values.get(ADMISSION)?.principal });
  });
}

/** Returns the failure that a status was made of; one of Connect's own has none. */
function errorOf(failure: unknown): InferenceError | undefined {
  if (!(failure instanceof ConnectError)) return undefined;
  if (failure.cause instanceof InferenceError) return failure.cause;
  return failure.code === Code.InvalidArgument ? InferenceError.invalid("", failure.rawMessage) : undefined;
}
