import { create, type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { ErrorDetailSchema } from "../../gen/attune/error/v1/error_pb.ts";
import { type BadRequest, BadRequestSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { type Status, StatusSchema } from "../../gen/google/rpc/status_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { errorToDetail } from "../hub/error-detail.ts";

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
  [ErrorReason.THREAD_UNSUPPORTED]: Code.FailedPrecondition,
  [ErrorReason.UPSTREAM_MISCONFIGURED]: Code.FailedPrecondition,
  [ErrorReason.IDEMPOTENCY_KEY_REUSED]: Code.InvalidArgument,
  [ErrorReason.ANSWER_NOT_KEPT]: Code.AlreadyExists,
  [ErrorReason.ALREADY_EXISTS]: Code.AlreadyExists,
  [ErrorReason.CONFLICT]: Code.FailedPrecondition,
};

/**
 * Encodes whatever was thrown as an RPC status with an ErrorDetail, and with a BadRequest where fields are wrong; an
 * RPC status stays as it is. `within` names the field of the request that places are told from.
 */
export function encodeError(thrown: unknown, within = ""): ConnectError {
  if (thrown instanceof ConnectError) return thrown;
  const error = InferenceError.from(thrown);
  const { code, message, detail, badRequest } = describeError(error, within);
  const fields = badRequest === undefined ? [] : [{ desc: BadRequestSchema, value: badRequest }];
  return new ConnectError(message, code, undefined, [{ desc: ErrorDetailSchema, value: detail }, ...fields], error);
}

/** Has a method throw an RPC status, whatever it throws itself; `within` is that of encodeError(). */
export function encodeErrors<Request, Answer>(
  method: (request: Request, context: HandlerContext) => Promise<Answer>,
  within = "",
): (request: Request, context: HandlerContext) => Promise<Answer> {
  return async (request, context) => {
    try {
      return await method(request, context);
    } catch (thrown) {
      throw encodeError(thrown, within);
    }
  };
}

/** Encodes a failure as the status that a call which fails so would end with, for an answer that tells of many. */
export function encodeStatus(error: InferenceError): Status {
  const { code, message, detail, badRequest } = describeError(error, "");
  const fields = badRequest === undefined ? [] : [pack(BadRequestSchema, badRequest)];
  return create(StatusSchema, { code, message, details: [pack(ErrorDetailSchema, detail), ...fields] });
}

function describeError(error: InferenceError, within: string) {
  const detail = errorToDetail(error);
  detail.param = shorten(detail.param, MAX_PLACE_LENGTH);
  detail.refusedLosses = fewer(detail.refusedLosses);
  const code = CODE[error.reason] ?? Code.Internal;
  return { code, message: shorten(error.message, MAX_MESSAGE_LENGTH), detail, badRequest: toBadRequest(error, within) };
}

function pack<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Any {
  const typeUrl = `type.googleapis.com/${schema.typeName}`;
  return create(AnySchema, { typeUrl, value: toBinary(schema, message) });
}

/** Returns the problems of a request's fields: as many as a header can hold, without those that an upstream found. */
function toBadRequest({ reason, message, facts }: InferenceError, within: string): BadRequest | undefined {
  const { param = "", violations = [{ param, problem: message }], upstreamStatus } = facts;
  if (reason !== ErrorReason.INVALID_REQUEST || param === "" || upstreamStatus !== undefined) return undefined;
  const fieldViolations: { field: string; description: string }[] = [];
  let room = MAX_VIOLATIONS_LENGTH;
  for (const { param: place, problem } of violations) {
    const field = shorten(getPath(place, within), MAX_PLACE_LENGTH).toWellFormed();
    const description = shorten(problem, MAX_PLACE_LENGTH).toWellFormed();
    room -= field.length + description.length;
    if (room < 0 && fieldViolations.length > 0) break;
    fieldViolations.push({ field, description });
  }
  return create(BadRequestSchema, { fieldViolations });
}

/** As many places as a header can hold, and an ellipsis for the others. */
function fewer(places: readonly string[]): string[] {
  let room = MAX_VIOLATIONS_LENGTH;
  const fitting = places.findIndex((place) => {
    room -= place.length;
    return room < 0;
  });
  return fitting === -1 ? [...places] : [...places.slice(0, fitting), "…"];
}

function getPath(place: string, within: string): string {
  return within === "" || place === within || place.startsWith(`${within}.`) ? place : `${within}.${place}`;
}

/** gRPC tells of failures in headers, and clients hang or fail on headers that are longer than they take. */
const MAX_MESSAGE_LENGTH = 4000;
const MAX_PLACE_LENGTH = 1000;
const MAX_VIOLATIONS_LENGTH = 2000;

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}
