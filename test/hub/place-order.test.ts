import { describe, expect, it } from "vitest";
import { inOrder } from "../../src/hub/place-order.ts";

describe("inOrder()", () => {
  it("sorts by the order of fields and positions, and leaves what is equal as it came", () => {
    const places = [
      "extension.seed",
      "tools[10]",
      "tools[9].cache_mark",
      "top_k",
      "messages[1].content[0].title",
      "messages[0].content[0].extension.b",
      "messages[0].content[0].extension.a",
      "messages[0].name",
      "system[0]",
    ];
    expect(inOrder(places)).toEqual([
      "system[0]",
      "messages[0].name",
      "messages[0].content[0].extension.b",
      "messages[0].content[0].extension.a",
      "messages[1].content[0].title",
      "tools[9].cache_mark",
      "tools[10]",
      "top_k",
      "extension.seed",
    ]);
  });
});
