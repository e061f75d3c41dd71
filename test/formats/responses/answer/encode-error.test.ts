import { describe, expect, it } from "vitest";
import { encodeResourceError, encodeStreamError } from "../../../../src/formats/responses/answer/encode-error.ts";
import { responsesCodec } from "../../../../src/formats/responses/codec.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";

describe("encodeError()", () => {
  it("encodes a failure before the first byte", () => {
    const error = InferenceError.invalid("input[0].content", "is required");
    expect(responsesCodec.encodeError(error, "req_1")).toEqual({
      status: 400,
      body: {
        error: {
          message: "input[0].content: is required",
          type: "invalid_request_error",
          param: "input[0].content",
          code: null,
        },
      },
    });
  });
});

describe("encodeStreamError() and encodeResourceError()", () => {
  const errors: [error: InferenceError, stream: unknown, resource: unknown][] = [
    [
      new InferenceError(ErrorReason.CONTEXT_LENGTH_EXCEEDED, "too long"),
      { type: "invalid_request_error", code: "context_length_exceeded", message: "too long", param: null },
      { code: "context_length_exceeded", message: "too long" },
    ],
    [
      new InferenceError(ErrorReason.STREAM_INTERRUPTED, "broke off"),
      { type: "server_error", code: "stream_interrupted", message: "broke off", param: null },
      { code: "server_error", message: "broke off" },
    ],
    [
      InferenceError.invalid("input", "is wrong"),
      { type: "invalid_request_error", code: null, message: "input: is wrong", param: "input" },
      { code: "invalid_request_error", message: "input: is wrong" },
    ],
  ];

  it.each(errors)("encode %s", (error, stream, resource) => {
    const { code, message, param, error: nested } = JSON.parse(`{${encodeStreamError(error)}}`);
    expect(nested).toEqual(stream);
    expect(stream).toMatchObject({ code, message, param });
    expect(encodeResourceError(error)).toEqual(resource);
  });
});
