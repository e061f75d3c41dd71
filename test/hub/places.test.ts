import { describe, expect, it } from "vitest";
import { inOrder, shortPlaces } from "../../src/hub/places.ts";

describe("shortPlaces()", () => {
  it("leaves those alone that are short enough", () => {
    const places = ["top_k", `messages[0].${"a".repeat(256 - 12)}`];
    expect(shortPlaces(places)).toBe(places);
  });

  it("cuts off what is too long, and has those once that are the same then", () => {
    const long = `extension.${"a".repeat(300)}`;
    const short = `extension.${"a".repeat(246)}...`;
    expect(shortPlaces(["top_k", long, `${long}b`])).toEqual(["top_k", short]);
  });

  it("cuts no character in two", () => {
    const [place = ""] = shortPlaces([`${"a".repeat(255)}👍`]);
    expect(place).toBe(`${"a".repeat(255)}\ufffd...`);
  });
});

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
