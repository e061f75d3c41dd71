import { describe, expect, it } from "vitest";
import { createReceivingCapacity } from "../../../src/admission/receive-body.ts";
import { Conversation } from "../../../src/facade/socket/conversation.ts";
import { parseJson } from "../../../src/formats/shared/json.ts";
import type { Capacity } from "../../../src/hub/capacity.ts";

const USER = { keyId: "k", projectId: "p" };
const capacityOf = (receivingBytes: number) =>
  createReceivingCapacity({ bodyBytes: 1000, receivingBytes, projectShare: 0.75 });

/** A quarter of the capacity is what the key may have. */
function setUp(capacity: Capacity, maxBytes = 1000): Conversation {
  const count = {
    take: (bytes: number) => {
      const refusal = capacity.check(USER, bytes);
      capacity.add(USER, bytes);
      return refusal;
    },
    giveBack: (bytes: number) => capacity.remove(USER, bytes),
  };
  return new Conversation(count, maxBytes);
}

const next = { previous_response_id: "r", input: "Go on" };
const continued = (...items: unknown[]) => ({
  previous_response_id: null,
  input: [...items, { role: "user", content: "Go on" }],
});

describe("Conversation", () => {
  it("puts what was said before the items of who goes on with it, numbers as they came", () => {
    const conversation = setUp(capacityOf(4000));
    const item = parseJson('{"n":12345678901234567891}');
    conversation.keep("r", [item]);
    expect(JSON.stringify(conversation.continueIn(next))).toBe(JSON.stringify(continued(item)));
    expect(conversation.continueIn({ ...next, previous_response_id: "other" })).toMatchObject({ input: "Go on" });
    conversation.forget();
    expect(conversation.continueIn(next)).toBe(next);
  });

  it("keeps nothing that is larger than a body, and nothing of what was before either", () => {
    const conversation = setUp(capacityOf(8000));
    conversation.keep("r", ["a"]);
    conversation.keep("r", ["x".repeat(1000)]);
    expect(conversation.continueIn(next)).toBe(next);
  });

  it("keeps no more of all connections of a key than there is room for", () => {
    const capacity = capacityOf(4000);
    const [first, second] = [setUp(capacity), setUp(capacity)];
    first.keep("r", ["x".repeat(600)]);
    second.keep("r", ["x".repeat(600)]);
    expect(second.continueIn(next)).toBe(next);
    first.forget();
    second.keep("r", ["x".repeat(600)]);
    expect(second.continueIn(next)).toEqual(continued("x".repeat(600)));
  });
});
