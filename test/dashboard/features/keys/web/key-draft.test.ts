import { describe, expect, it } from "vitest";
import { findChange, toDraft } from "../../../../../src/dashboard/features/keys/web/key-draft.ts";

const KEY = { name: "ci", expiresAt: "2027-01-31T10:20:30.456Z", tags: { team: "search" } };

describe("the draft of a key", () => {
  it("changes nothing before somebody does", () => {
    expect(findChange(KEY, toDraft(KEY))).toBeUndefined();
    expect(findChange({ ...KEY, tags: {} }, toDraft({ ...KEY, tags: {} }))).toBeUndefined();
  });

  it("sends only what changed", () => {
    const draft = toDraft(KEY);
    expect(findChange(KEY, { ...draft, name: "nightly" })).toEqual({ name: "nightly" });
    expect(findChange(KEY, { ...draft, expiresAt: "" })).toEqual({ expiresAt: null });
    const expiresAt = new Date("2027-02-01T08:00").toISOString();
    expect(findChange(KEY, { ...draft, expiresAt: "2027-02-01T08:00" })).toEqual({ expiresAt });
    expect(findChange(KEY, { ...draft, tags: [{ name: "", value: "" }] })).toEqual({ tags: [] });
  });
});
