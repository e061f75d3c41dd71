import { describe, expect, it } from "vitest";
import { mapStatus } from "../../../src/formats/shared/map-status.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

describe("mapStatus()", () => {
  it.each([
    ["a failed generation of text-generation-inference", 424, ErrorReason.UPSTREAM_ERROR],
    ["a proxy that was left by its own client", 499, ErrorReason.UPSTREAM_ERROR],
    ["a server that Cloudflare waited for", 524, ErrorReason.UPSTREAM_TIMEOUT],
    ["a value that is refused", 422, ErrorReason.INVALID_REQUEST],
  ])("knows %s", (_what, status, reason) => {
    expect(mapStatus(status)).toBe(reason);
  });
});
