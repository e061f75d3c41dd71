import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { ErrorDetailSchema } from "../../gen/attune/error/v1/error_pb.ts";
import { InferenceError } from "../hub/error.ts";
import { errorToDetail } from "../hub/error-detail.ts";

/** Most characters of what a decoder says: it may repeat a text of the request as long as the body. */
const MAX_PROBLEM_LENGTH = 500;

/** The prefix of Connect's errors that it calls internal although the request's bytes are to blame. */
const PARSE = "parse binary: ";
const COMPRESSED = "received compressed envelope";

/**
 * Makes a call whose bytes are not the message that its method takes end with INVALID_ARGUMENT and an ErrorDetail, in
 * every protocol. A request gate: Connect hands each failure to the call's signal before it encodes it.
 */
export function mapClientErrors({ signal, method }: HandlerContext): void {
  signal.addEventListener("abort", () => {
    const failure: unknown = signal.reason;
    if (!(failure instanceof ConnectError) || failure.details.length > 0) return;
    const isMislabelled = failure.code === Code.Internal && isCallersFault(failure.rawMessage);
    if (!isMislabelled && failure.code !== Code.InvalidArgument) return;
    const error = InferenceError.invalid("", describe(failure.rawMessage, method.input.typeName));
    const details = [{ desc: ErrorDetailSchema, value: errorToDetail(error) }];
    Object.assign(failure, { code: Code.InvalidArgument, rawMessage: error.message, message: error.message, details });
  });
}

function isCallersFault(message: string): boolean {
  return message.startsWith(PARSE) || message.startsWith(COMPRESSED);
}

function describe(problem: string, typeName: string): string {
  const depth = /maximum recursion depth of (\d+) reached/.exec(problem)?.[1];
  if (depth !== undefined) return `the message is nested deeper than ${depth} levels: send a flatter one`;
  if (!problem.startsWith(PARSE)) return cut(problem);
  return `the bytes are not the message ${typeName} in protobuf's binary form: ${cut(problem.slice(PARSE.length))}`;
}

function cut(text: string): string {
  return text.length > MAX_PROBLEM_LENGTH ? `${text.slice(0, MAX_PROBLEM_LENGTH)}…`.toWellFormed() : text;
}
