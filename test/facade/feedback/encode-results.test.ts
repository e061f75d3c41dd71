import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { ErrorDetailSchema, ErrorReason } from "../../../gen/attune/error/v1/error_pb.ts";
import { FeedbackResultSchema } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { encodeResult } from "../../../src/facade/feedback/encode-results.ts";

const encode = (...results: MessageInitShape<typeof FeedbackResultSchema>[]) =>
  JSON.stringify(results.map((result) => encodeResult(create(FeedbackResultSchema, result))));

const stored = (...names: string[]): MessageInitShape<typeof FeedbackResultSchema> => ({
  outcome: { case: "stored", value: { ids: names.map((name) => ({ name, id: `id-of-${name}` })) } },
});

describe("encodeResult()", () => {
  it("writes one result for each event, of which one member is null", () => {
    const value = create(ErrorDetailSchema, { reason: ErrorReason.INVALID_REQUEST, param: "inference_id" });
    const refused = {
      code: Code.InvalidArgument,
      message: "inference_id: the inference 'x' does not exist",
      details: [anyPack(ErrorDetailSchema, value)],
    };
    expect(encode(stored("b", "a.c"), { outcome: { case: "error", value: refused } }, stored())).toBe(
      '[{"feedback_ids":{"b":"id-of-b","a.c":"id-of-a.c"},"error":null},' +
        `{"feedback_ids":null,"error":{"status_code":400,"message":"id: the inference 'x' does not exist"}},` +
        '{"feedback_ids":{},"error":null}]',
    );
  });

  it("tells from the code of a failure without details what it can", () => {
    const away = { code: Code.Unavailable, message: "the service is away" };
    expect(encode({ outcome: { case: "error", value: away } })).toBe(
      '[{"feedback_ids":null,"error":{"status_code":503,"message":"the service is away"}}]',
    );
  });

  it("keeps names that mean something to JavaScript", () => {
    expect(encode(stored("__proto__", "toString", "7"))).toBe(
      '[{"feedback_ids":{"7":"id-of-7","__proto__":"id-of-__proto__","toString":"id-of-toString"},"error":null}]',
    );
  });

  it("says so where the service said nothing", () => {
    expect(encode({})).toBe(
      '[{"feedback_ids":null,"error":{"status_code":500,"message":"the service returned no result for this event"}}]',
    );
  });
});
