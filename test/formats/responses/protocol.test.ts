import { describe, expect, it } from "vitest";
import { openaiResponsesProtocol } from "../../../src/formats/responses/protocol.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

describe("openaiResponsesProtocol", () => {
  it("authenticates where there is a key", () => {
    expect(openaiResponsesProtocol.headers("sk-1")).toEqual({ authorization: "Bearer sk-1" });
    expect(openaiResponsesProtocol.headers(undefined)).toEqual({});
  });

  it("knows its path and the header of the request's identifier", () => {
    expect(openaiResponsesProtocol).toMatchObject({ path: "/responses", requestIdHeaders: ["x-request-id"] });
  });

  it("reads an error answer", () => {
    const body = JSON.stringify({
      error: { message: "Unknown file", type: "invalid_request_error", param: "input[0]", code: "invalid_value" },
    });
    expect(openaiResponsesProtocol.decodeError({ status: 400, headers: {}, body })).toMatchObject({
      reason: ErrorReason.INVALID_REQUEST,
      message: "Unknown file",
      facts: { param: "input[0]", upstreamStatus: 400, upstreamCode: "invalid_value" },
    });
  });
});
