import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { ADMISSION, SUMMARY } from "../admission/context-key.ts";
import type { NoteFailedCall } from "../admission/refused-calls.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";

/**
 * Takes note of an RPC that fails, and adds it to the summary. A request gate: Connect hands each failure to the call's
 * signal.
 */
export function watchRefusals({ signal, method, values }: HandlerContext, note: NoteFailedCall): void {
  signal.addEventListener("abort", () => {
    const error = getError(signal.reason);
    const failure = error ?? statusError(signal.reason);
    if (failure !== undefined) values.get(SUMMARY)?.fail(failure);
    const call = `${method.parent.typeName}/${method.name}`;
    if (error !== undefined) note(error, { call, principal: values.get(ADMISSION)?.principal });
  });
}

/** Returns the failure that a status was made of; one of Connect's own has none. */
function getError(failure: unknown): InferenceError | undefined {
  if (!(failure instanceof ConnectError)) return undefined;
  if (failure.cause instanceof InferenceError) return failure.cause;
  return failure.code === Code.InvalidArgument ? InferenceError.invalid("", failure.rawMessage) : undefined;
}

/** The reasons of failures that Connect itself finds; of others it is at fault. */
const REASON: Partial<Record<Code, ErrorReason>> = {
  [Code.Canceled]: ErrorReason.CANCELED,
  [Code.Aborted]: ErrorReason.CANCELED,
  [Code.DeadlineExceeded]: ErrorReason.DEADLINE_EXCEEDED,
  [Code.ResourceExhausted]: ErrorReason.REQUEST_TOO_LARGE,
  [Code.Unimplemented]: ErrorReason.NOT_FOUND,
};

/** Returns a failure of Connect's own; undefined for a call that ended well. */
function statusError(failure: unknown): InferenceError | undefined {
  if (!(failure instanceof ConnectError)) return undefined;
  return new InferenceError(REASON[failure.code] ?? ErrorReason.INTERNAL, failure.rawMessage, { cause: failure });
}
