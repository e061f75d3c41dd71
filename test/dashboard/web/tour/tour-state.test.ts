import { describe, expect, it } from "vitest";
import { parseTourState } from "../../../../src/dashboard/web/tour/tour-state.ts";

const NEW = { status: "new", projectId: "", seen: { request: false, evidence: false } };

describe("parseTourState()", () => {
  it("reads what was stored", () => {
    const left = { status: "left", projectId: "p", seen: { request: true, evidence: false } };
    expect(parseTourState(JSON.stringify(left))).toEqual(left);
  });

  it.each([undefined, "", "{", "null", "7", '"open"', "[]", '{"status":"other"}'])(
    "takes %s for a new tour",
    (text) => {
      expect(parseTourState(text)).toEqual(NEW);
    },
  );

  it("leaves out what is no state", () => {
    const odd = { status: "done", projectId: 7, seen: { request: "yes" } };
    expect(parseTourState(JSON.stringify(odd))).toEqual({ ...NEW, status: "done" });
  });
});
