import { describe, expect, it } from "vitest";
import { mapGroups, readGroups } from "../../../../src/dashboard/features/sign-in/map-groups.ts";
import type { GroupRule } from "../../../../src/vocabulary/sign-in-settings.ts";

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
    [["a", "b"], ["a", "b"], true],
    ["a", ["a"], true],
    [["a", 1], ["a", "1"], true],
    [["a", null, { name: "b" }], ["a"], false],
    [[{ name: "b" }], [], false],
    [undefined, [], true],
    [null, [], true],
    ['["a","b"]', ["a", "b"], true],
    ["[a, b]", [], false],
    ["a,b", ["a,b"], false],
    ["Domain Admins", ["Domain Admins"], true],
    ["CN=admins,OU=groups", ["CN=admins,OU=groups"], true],
    [{ a: true, b: { 1: "b.example" }, c: false, d: null }, ["a", "b"], true],
    [{ a: true, b: "c" }, ["a"], false],
    [7, [], false],
  ])("reads %j", (claim, names, isWhole) => {
    expect(readGroups(claim)).toEqual({ names, isWhole });
  });

  it("reads 20,000 groups at most, and says that there are more", () => {
    const { names, isWhole } = readGroups(Array.from({ length: 20_001 }, String));
    expect([names.length, isWhole]).toEqual([20_000, false]);
  });
});
