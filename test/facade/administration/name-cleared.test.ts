import { describe, expect, it } from "vitest";
import { nameCleared } from "../../../src/facade/administration/name-cleared.ts";

describe("nameCleared()", () => {
  it("names what a document has empty, by the names of JSON and of files", () => {
    const settings = { bodies: "none", aliases: {}, disabledOptimizations: [] };
    const keys = [
      { name: "ci", permissions: [], expires_at: null, tags: { team: "a" } },
      { expiresAt: null, tags: {} },
    ];
    expect(nameCleared({ projects: [{ name: "a", settings, keys }] })).toEqual({
      projects: [
        {
          ...{ name: "a", settings, clearedSettings: ["disabled_optimizations", "aliases"] },
          keys: [
            { ...keys[0], cleared: ["permissions", "expires_at"] },
            { ...keys[1], cleared: ["expires_at", "tags"] },
          ],
        },
      ],
    });
  });

  it("leaves alone what is not empty, not there, or no document, and adds to names that are given", () => {
    const document = { projects: [{ name: "a", settings: { bodies: "none" }, keys: [{ name: "ci" }] }, 5], quotas: {} };
    expect(nameCleared(document)).toEqual(document);
    expect(nameCleared({ projects: "none" })).toEqual({ projects: "none" });
    const given = { settings: { aliases: {} }, cleared_settings: ["disabled_optimizations"] };
    expect(nameCleared({ projects: [given] })).toEqual({
      projects: [{ settings: { aliases: {} }, clearedSettings: ["disabled_optimizations", "aliases"] }],
    });
  });
});
