import { expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { createHubInput, type HubInit } from "../../src/hub/input.ts";
import { createRunModels } from "../../src/main/generation.ts";

// Neither the catalog nor its places are asked whether a request can be sent again.
const { problemOf } = createRunModels({} as Parameters<typeof createRunModels>[0], () => Promise.reject(new Error()));

const text = { kind: { case: "text" as const, value: { text: "Hello" } } };
const messages = [{ role: Role.USER, content: [text] }];

it.each<[string | undefined, HubInit]>([
  [undefined, { messages }],
  ["it asks for several answers", { messages, n: 2 }],
  ["it asks for a summary of its conversation", { messages, compact: true }],
  ["it asks for embeddings", { messages, embedding: { dimensions: 3 } }],
])("says %j of a recorded request", (problem, asked) => {
  expect(problemOf(createHubInput(asked))).toBe(problem);
});
