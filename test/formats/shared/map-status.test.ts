import { describe, expect, it } from "vitest";
import { mapStatus } from "../../../src/formats/shared/map-status.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

describe("mapStatus()", () => {
  it.each([
    ["a failed generation of text-generation-inference", 424, ErrorReason.UPSTREAM_ERROR],
    ["a proxy that was left by its own client", 499, ErrorReason.UPSTREAM_ERROR],
    ["a server that Cloudflare waited for", 524, ErrorReason.UPSTREAM_TIMEOUT],
    ["a value that is refused", 422, ErrorReason.INVALID_REQUEST],
    ["credentials that a proxy wants", 407, ErrorReason.UPSTREAM_UNAUTHENTICATED],
    ["a country that is not served", 451, ErrorReason.UPSTREAM_UNAUTHENTICATED],
    ["a model that was taken down", 410, ErrorReason.NOT_FOUND],
  ])("knows %s", (_what, status, reason) => {
    expect(mapStatus(status)).toBe(reason);
  });

  it.each([307, 406, 411, 412, 414, 415, 417, 421, 426, 428, 431, 501])(
    "takes %d for the operator's doing",
    (status) => {
      expect(mapStatus(status)).toBe(ErrorReason.UPSTREAM_MISCONFIGURED);
    },
  );
});
