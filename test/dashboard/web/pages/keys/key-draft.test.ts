import { describe, expect, it } from "vitest";
import { changeOf, draftOf } from "../../../../../src/dashboard/web/pages/keys/key-draft.ts";

const KEY = { name: "ci", expiresAt: "2027-01-31T10:20:30.456Z", tags: { team: "search" } };

describe("the draft of a key", () => {
  it("changes nothing before somebody does", () => {
    expect(changeOf(KEY, draftOf(KEY))).toBeUndefined();
    expect(changeOf({ ...KEY, tags: {} }, draftOf({ ...KEY, tags: {} }))).toBeUndefined();
  });

  it("sends only what changed", () => {
    const draft = draftOf(KEY);
    expect(changeOf(KEY, { ...draft, name: "nightly" })).toEqual({ name: "nightly" });
    expect(changeOf(KEY, { ...draft, expires: "" })).toEqual({ expiresAt: null });
    const expiresAt = new Date("2027-02-01T08:00").toISOString();
    expect(changeOf(KEY, { ...draft, expires: "2027-02-01T08:00" })).toEqual({ expiresAt });
    expect(changeOf(KEY, { ...draft, tags: [{ name: "", value: "" }] })).toEqual({ tags: [] });
  });
});
