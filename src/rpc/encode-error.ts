import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorDetailSchema } from "../../gen/attune/error/v1/error_pb.ts";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import { errorToDetail } from "../inference/error-detail.ts";

/** RPC code of each reason. A new reason does not compile until it has one. */
const CODE: Record<ErrorReason, Code> = {
  [ErrorReason.UNSPECIFIED]: Code.Internal,
  [ErrorReason.INVALID_REQUEST]: Code.InvalidArgument,
  [ErrorReason.UNAUTHENTICATED]: Code.Unauthenticated,
  [ErrorReason.PERMISSION_DENIED]: Code.PermissionDenied,
  [ErrorReason.MODEL_NOT_FOUND]: Code.NotFound,
  [ErrorReason.NOT_FOUND]: Code.NotFound,
  [ErrorReason.REQUEST_TOO_LARGE]: Code.InvalidArgument,
  [ErrorReason.CONTEXT_LENGTH_EXCEEDED]: Code.InvalidArgument,
  [ErrorReason.TRANSLATION_LOSS]: Code.InvalidArgument,
  [ErrorReason.RATE_LIMITED]: Code.ResourceExhausted,
  [ErrorReason.QUOTA_EXCEEDED]: Code.ResourceExhausted,
  [ErrorReason.CONTENT_FILTERED]: Code.FailedPrecondition,
  [ErrorReason.UPSTREAM_OVERLOADED]: Code.Unavailable,
  [ErrorReason.UPSTREAM_ERROR]: Code.Unavailable,
  [ErrorReason.UPSTREAM_UNAUTHENTICATED]: Code.FailedPrecondition,
  [ErrorReason.UPSTREAM_UNREACHABLE]: Code.Unavailable,
  [ErrorReason.UPSTREAM_TIMEOUT]: Code.DeadlineExceeded,
  [ErrorReason.STREAM_INTERRUPTED]: Code.Aborted,
  [ErrorReason.CANCELED]: Code.Canceled,
  [ErrorReason.UNAVAILABLE]: Code.Unavailable,
  [ErrorReason.INTERNAL]: Code.Internal,
  [ErrorReason.PREVIOUS_NOT_FOUND]: Code.NotFound,
  [ErrorReason.DEADLINE_EXCEEDED]: Code.DeadlineExceeded,
};

/** Encodes whatever was thrown as an RPC status with an ErrorDetail; an RPC status stays as it is. */
export function encodeError(thrown: unknown): ConnectError {
  if (thrown instanceof ConnectError) return thrown;
  const error = InferenceError.from(thrown);
  const code = CODE[error.reason] ?? Code.Internal;
  const detail = errorToDetail(error);
  detail.param = shorten(detail.param, MAX_PLACE_LENGTH);
  const message = shorten(error.message, MAX_MESSAGE_LENGTH);
  return new ConnectError(message, code, undefined, [{ desc: ErrorDetailSchema, value: detail }], error);
}

/** gRPC tells of failures in headers, and clients hang or fail on headers that are longer than they take. */
const MAX_MESSAGE_LENGTH = 4000;
const MAX_PLACE_LENGTH = 1000;

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}
