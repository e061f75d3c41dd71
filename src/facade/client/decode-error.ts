import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorDetailSchema } from "../../../gen/attune/error/v1/error_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { errorFromDetail } from "../../hub/error-detail.ts";

/** Decodes a failure of an RPC: what Attune said of it, or what the code alone tells when a transport failed. */
export function decodeError(thrown: unknown): InferenceError {
  if (!(thrown instanceof ConnectError)) return InferenceError.from(thrown);
  // In process the error itself has come along, with its cause for the log.
  if (thrown.cause instanceof InferenceError) return thrown.cause;
  const detail = thrown.findDetails(ErrorDetailSchema)[0];
  if (detail !== undefined) return errorFromDetail(thrown.rawMessage, detail);
  if (thrown.code === Code.Canceled) {
    return new InferenceError(ErrorReason.CANCELED, "the client disconnected", { cause: thrown });
  }
  const reason = thrown.code === Code.InvalidArgument ? ErrorReason.INVALID_REQUEST : ErrorReason.UNAVAILABLE;
  return new InferenceError(reason, thrown.rawMessage, { cause: thrown });
}
