import { expect, it } from "vitest";
import { CreateKeyRequestSchema } from "../../../gen/attune/admin/v1/admin_pb.ts";
import { GenerateRequestSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { GetUsageRequestSchema } from "../../../gen/attune/usage/v1/usage_pb.ts";
import { findBadTime, hasTimes } from "../../../src/lib/protobuf/find-bad-time.ts";

it.each([
  [GetUsageRequestSchema, { from: "2026-02-30T00:00:00Z" }, "from"],
  [GetUsageRequestSchema, { from: "2026-02-28T00:00:00Z", to: "2026-09-31T00:00:00Z" }, "to"],
  [CreateKeyRequestSchema, { key: { expiresAt: "2026-04-31T00:00:00Z" } }, "key.expiresAt"],
  [CreateKeyRequestSchema, { key: { expires_at: "2026-04-31T00:00:00Z" } }, "key.expires_at"],
  [GetUsageRequestSchema, { from: "2024-02-29T00:00:00Z" }, undefined],
  // What else is wrong with a message is told by whoever reads it.
  [GetUsageRequestSchema, { from: "x", nothing: "2026-02-30T00:00:00Z" }, undefined],
  [GetUsageRequestSchema, [], undefined],
])("finds the place of a day that does not exist in %s %j", (schema, json, place) => {
  expect(findBadTime(schema, json)).toBe(place);
});

it("looks for none in the messages of inference", () => {
  expect([GenerateRequestSchema, CreateKeyRequestSchema].map(hasTimes)).toEqual([false, true]);
});
