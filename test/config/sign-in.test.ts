import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/config/mistake.ts";
import { load, useFolder } from "./harness.ts";

useFolder();

/** Returns the mistakes of a sign-in with these settings, each as its path and what is wrong. */
function mistakesOf(signIn: unknown): readonly string[] {
  try {
    load(JSON.stringify({ dashboard: { signIn } }));
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return thrown.mistakes.map(({ path, message }) => `${path} ${message}`);
  }
  return [];
}

const PROVIDER = { issuer: "https://login.example.com", clientId: "attune" };
const AT = "dashboard.signIn.providers.company";
const ISSUER = "must be an https address without query and fragment, as the provider's tokens have it";

describe("dashboard.signIn", () => {
  it.each<[string, unknown, readonly string[]]>([
    ["an issuer over plain http", { ...PROVIDER, issuer: "http://login.example.com" }, [`${AT}.issuer ${ISSUER}`]],
    ["an issuer with a query", { ...PROVIDER, issuer: "https://a.example.com/?x=1" }, [`${AT}.issuer ${ISSUER}`]],
    ["no client", { issuer: PROVIDER.issuer }, [`${AT}.clientId is missing: it must be a text that is not empty`]],
    ["scopes without openid", { ...PROVIDER, scopes: ["email"] }, [`${AT}.scopes must have openid`]],
    [
      "a role that there is not",
      { ...PROVIDER, groups: [{ group: "a", project: "b", role: "member" }] },
      [`${AT}.groups[0].role must be owner, admin, developer, viewer, billing`],
    ],
  ])("refuses %s", (_of, company, mistakes) => {
    expect(mistakesOf({ providers: { company } })).toEqual(mistakes);
  });

  it("refuses to lock everybody out", () => {
    expect(mistakesOf({ required: true })).toEqual([
      "dashboard.signIn.required lets nobody in: add a provider under providers",
    ]);
    expect(mistakesOf({ required: true, providers: { company: PROVIDER } })).toEqual([]);
  });

  it("takes plain http on the same machine, and fills in what is usual", () => {
    const company = { issuer: "http://127.0.0.1:3000", clientId: "attune" };
    expect(load(JSON.stringify({ dashboard: { signIn: { providers: { company } } } })).dashboard.signIn).toEqual({
      required: false,
      refreshMs: 300_000,
      providers: {
        company: {
          ...company,
          scopes: ["openid", "email", "profile"],
          groupsClaim: "groups",
          groups: [],
          emailVerified: "claim",
          linkAccounts: false,
        },
      },
    });
  });
});
