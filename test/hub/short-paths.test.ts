import { describe, expect, it } from "vitest";
import { shortPlaces } from "../../src/hub/short-paths.ts";

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
