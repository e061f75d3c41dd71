import { describe, expect, it } from "vitest";
import { mapGroups, readGroups } from "../../../src/dashboard/sign-in/map-groups.ts";
import type { GroupRule } from "../../../src/hub/sign-in-settings.ts";

const RULES: readonly GroupRule[] = [
  { group: "platform", project: "default", role: "admin" },
  { group: "search", project: "search", role: "developer" },
  { group: "search-leads", project: "search", role: "owner" },
  { group: "*", project: "search", role: "viewer" },
];

describe("mapGroups()", () => {
  it.each([
    ["nobody's groups", [], { search: "viewer" }],
    ["one group", ["platform"], { default: "admin", search: "viewer" }],
    ["several roles in a project", ["search", "search-leads", "other"], { search: "owner" }],
    ["a group whose name differs in case", ["Platform"], { search: "viewer" }],
  ] as const)("gives %s their roles", (_of, groups, roles) => {
    expect(Object.fromEntries(mapGroups(RULES, groups))).toEqual(roles);
  });

  it("gives none without rules", () => {
    expect(mapGroups([], ["platform"]).size).toBe(0);
  });
});

describe("readGroups()", () => {
  it.each([
    [
      ["a", "b"],
      ["a", "b"],
    ],
    ["a", ["a"]],
    [["a", 1, null, { name: "b" }], ["a"]],
    [undefined, []],
    [null, []],
    [{ a: true }, undefined],
    [7, undefined],
  ])("reads %j", (claim, groups) => {
    expect(readGroups(claim)).toEqual(groups);
  });

  it("reads no more than 2000", () => {
    expect(readGroups(Array.from({ length: 3000 }, String))).toHaveLength(2000);
  });
});
