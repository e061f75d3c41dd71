import { describe, expect, it } from "vitest";
import { headerText } from "../../src/lib/header-text.ts";

/** As Node gives the bytes of a header. */
const received = (text: string, encoding: "utf8" | "latin1"): string => Buffer.from(text, encoding).toString("latin1");

describe("headerText()", () => {
  it("reads the same name from clients that send UTF-8 and from those that send Latin-1", () => {
    expect(headerText(received("Zürich", "utf8"))).toBe("Zürich");
    expect(headerText(received("Zürich", "latin1"))).toBe("Zürich");
  });

  it("reads what only UTF-8 can write, and what Latin-1 would take for control characters", () => {
    for (const text of ["日本", "École", "naïve 🌍"]) expect(headerText(received(text, "utf8"))).toBe(text);
  });

  it("leaves other texts as they are", () => {
    for (const text of ["", "triage", "日本", "ü日", undefined]) expect(headerText(text)).toBe(text);
  });
});
