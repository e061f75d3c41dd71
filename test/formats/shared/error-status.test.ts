import { describe, expect, it } from "vitest";
import { errorStatus } from "../../../src/formats/shared/error-status.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

describe("errorStatus()", () => {
  it.each([
    ["a mistake of a request that an upstream calls its own", ErrorReason.INVALID_REQUEST, 500, 400],
    ["a mistake of a request", ErrorReason.INVALID_REQUEST, 422, 422],
    ["an error of an upstream", ErrorReason.UPSTREAM_ERROR, 500, 500],
  ])("tells %s", (_what, reason, upstreamStatus, status) => {
    expect(errorStatus({ reason, facts: { upstreamStatus } })).toBe(status);
  });
});
