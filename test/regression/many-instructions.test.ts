import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ContentBlockSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { createHubInput } from "../../src/hub/input.ts";
import { findCachedParts } from "../../src/routing/steps/add-cache-hints.ts";
import { createPrefixKey } from "../../src/routing/steps/prefix-key.ts";
import { stubModel } from "../support/stub-upstream.ts";

// Each text was an argument of one call, and a call has room for about 120,000 of them: planning threw a RangeError.
it("plans for instructions of more blocks than a call has room for arguments", () => {
  const block = create(ContentBlockSchema, { kind: { case: "text", value: { text: "Be brief." } } });
  const input = { ...createHubInput({ messages: [{ content: [block] }] }), system: Array(200_000).fill(block) };
  const model = { ...stubModel, minCacheableTokens: 1024 };
  expect(createPrefixKey(input, model, "p")).toBeTypeOf("number");
  const parts = findCachedParts(input, { model, projectId: "p", arrived: () => 1 });
  expect(parts).toEqual({ prefix: true, conversation: true });
});
