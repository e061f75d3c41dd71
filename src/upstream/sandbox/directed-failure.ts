import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { mapStatus } from "../../formats/shared/map-status.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { Directive } from "./directive.ts";

/** Statuses that mean something else when a real upstream answers them: here the caller is to see them as they are. */
const REASONS: Readonly<Record<number, ErrorReason>> = {
  401: ErrorReason.UNAUTHENTICATED,
  403: ErrorReason.PERMISSION_DENIED,
  408: ErrorReason.UPSTREAM_ERROR,
  504: ErrorReason.UPSTREAM_ERROR,
};

/** Returns the failure that a directive asks for in place of an answer; undefined if it asks for none. */
export function directedFailure(directive: Directive, dialect: Dialect): InferenceError | undefined {
  const { name, value } = directive;
  switch (name) {
    case "overload": {
      const upstreamStatus = dialect === Dialect.MESSAGES ? 529 : 503;
      return new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "the sandbox was directed to be overloaded", {
        upstreamStatus,
      });
    }
    case "rate-limit":
      return new InferenceError(ErrorReason.RATE_LIMITED, "the sandbox was directed to limit the rate", {
        upstreamStatus: 429,
        retryAfterMs: value * 1000,
      });
    case "error":
      return new InferenceError(REASONS[value] ?? mapStatus(value), `the sandbox was directed to fail with ${value}`, {
        upstreamStatus: value,
      });
    case "context-length":
      return new InferenceError(
        ErrorReason.CONTEXT_LENGTH_EXCEEDED,
        "the sandbox was directed to say that the prompt is too long: shorten it",
        { upstreamStatus: 400 },
      );
    default:
      return undefined;
  }
}
