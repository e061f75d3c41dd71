import { describe, expect, it } from "vitest";
import {
  findSource,
  isElsewhere,
  isUnreadable,
  readClaim,
} from "../../../../src/dashboard/features/sign-in/read-claim.ts";

describe("readClaim()", () => {
  it.each([
    [{ groups: ["a"] }, "groups", ["a"]],
    [{ realm_access: { roles: ["a"] } }, "realm_access.roles", ["a"]],
    [{ resource_access: { "my.client": { roles: ["a"] } } }, "resource_access.my.client.roles", ["a"]],
    [{ "https://example.com/groups": ["a"] }, "https://example.com/groups", ["a"]],
    [{ "a.b": 1, a: { b: 2 } }, "a.b", 1],
    [{ "a.b": { c: 1 }, a: { b: { c: 2 } } }, "a.b.c", 1],
    [{ realm_access: ["roles"] }, "realm_access.roles", undefined],
    [{ realm_access: {} }, "realm_access.constructor", undefined],
    [{}, "groups", undefined],
    [{}, ".", undefined],
  ])("reads of %j the claim %s", (claims, path, value) => {
    expect(readClaim(claims, path)).toEqual(value);
  });
});

describe("isUnreadable()", () => {
  it.each([
    [{ realm_access: "roles" }, true],
    [{ realm_access: ["roles"] }, true],
    [{ realm_access: {} }, false],
    [{ realm_access: null }, false],
    [{}, false],
  ])("tells of %j", (claims, isSo) => {
    expect(isUnreadable(claims, "realm_access.roles")).toBe(isSo);
  });
});

describe("isElsewhere() and findSource()", () => {
  const graph = "https://graph.windows.net/tenant/users/one/getMemberObjects";
  const overage = { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: graph } } };

  it.each([
    [overage, true],
    [{ hasgroups: true }, true],
    [{ hasgroups: "true" }, true],
    [{ _claim_names: { address: "src1" } }, false],
    [{ hasgroups: false }, false],
    [{}, false],
  ])("tell of %j", (claims, isThere) => {
    expect(isElsewhere(claims, "groups")).toBe(isThere);
  });

  it("find the place, and Microsoft Graph where the token names the service before it", () => {
    expect(findSource(overage, "groups")?.endpoint.href).toBe("https://graph.microsoft.com/v1.0/me/getMemberObjects");
    const source = { endpoint: "https://claims.example.com/one", access_token: "t" };
    expect(findSource({ ...overage, _claim_sources: { src1: source } }, "groups")).toEqual({
      endpoint: new URL("https://claims.example.com/one"),
      accessToken: "t",
    });
    expect(findSource({ ...overage, _claim_sources: { src1: { endpoint: "none" } } }, "groups")).toBeUndefined();
    expect(findSource({ hasgroups: true }, "groups")).toBeUndefined();
  });
});
