import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { LogprobsSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { blockDeltaEvent } from "../../../src/hub/events.ts";
import { eventBytes } from "../../../src/inference/coalescing/event-bytes.ts";

describe("eventBytes()", () => {
  it("counts the tokens of a text, which take more room than it", () => {
    const plain = blockDeltaEvent(0, { case: "text", value: "a" });
    const told = blockDeltaEvent(0, { case: "text", value: "a" });
    const topLogprobs = Array.from({ length: 20 }, () => ({ token: "token", logprob: -1 }));
    const tokens = [{ token: "a", logprob: -1, topLogprobs }];
    if (told.event.case === "blockDelta") told.event.value.logprobs = create(LogprobsSchema, { tokens });
    expect(eventBytes([told]) - eventBytes([plain])).toBeGreaterThan(20 * 2 * "token".length);
  });
});
