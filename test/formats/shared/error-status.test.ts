import { describe, expect, it } from "vitest";
import { errorStatus } from "../../../src/formats/shared/error-status.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

describe("errorStatus()", () => {
  it.each([
    ["a mistake of a request that an upstream calls its own", ErrorReason.INVALID_REQUEST, 500, 400],
    ["a mistake of a request", ErrorReason.INVALID_REQUEST, 422, 422],
    ["a picture that an upstream has no place for", ErrorReason.INVALID_REQUEST, 404, 400],
    ["a mistake of a request that an upstream calls a wrong key", ErrorReason.INVALID_REQUEST, 403, 400],
    ["a mistake of a request that clients would send again", ErrorReason.INVALID_REQUEST, 409, 400],
    ["a medium that is not known", ErrorReason.INVALID_REQUEST, 415, 415],
    ["a used-up account that an upstream calls a mistake", ErrorReason.QUOTA_EXCEEDED, 400, 429],
    ["a used-up account that has to be paid for", ErrorReason.QUOTA_EXCEEDED, 402, 402],
    ["a rate limit that an upstream calls a mistake", ErrorReason.RATE_LIMITED, 400, 429],
    ["a rate limit", ErrorReason.RATE_LIMITED, 429, 429],
    ["an overload that an upstream calls a mistake", ErrorReason.UPSTREAM_OVERLOADED, 400, 503],
    ["an overload", ErrorReason.UPSTREAM_OVERLOADED, 529, 529],
    ["an error of an upstream", ErrorReason.UPSTREAM_ERROR, 500, 500],
    ["an error of an upstream that it calls a mistake", ErrorReason.UPSTREAM_ERROR, 424, 502],
    ["a conflict", ErrorReason.UPSTREAM_ERROR, 409, 409],
  ])("tells %s", (_what, reason, upstreamStatus, status) => {
    expect(errorStatus({ reason, facts: { upstreamStatus } })).toBe(status);
  });
});
