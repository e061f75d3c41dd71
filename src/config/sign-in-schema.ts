import { z } from "zod";
import { ROLES } from "../hub/roles.ts";
import { anyText, boolean, integer, keys, name, secret } from "./fields.ts";

const DAY_MS = 86_400_000;

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The address of a provider, as its tokens have it; plain http is for tests on the same machine. */
function issuer() {
  const error = "must be an https address without query and fragment, as the provider's tokens have it";
  return z.string({ error }).refine(isIssuer, { error });
}

function isIssuer(value: string): boolean {
  if (!URL.canParse(value) || /[\s?#]/.test(value)) return false;
  const { protocol, hostname, username } = new URL(value);
  return username === "" && (protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname)));
}

const group = keys({
  group: anyText().describe(
    "Name or id of the group, as the provider sends it; '*' is everyone who signs in through it",
  ),
  project: anyText().describe("Name or id of the project"),
  role: z
    .enum(ROLES, { error: `must be ${ROLES.join(", ")}` })
    .describe("Role in it; of several groups the one that comes first in: owner, admin, developer, viewer, billing"),
});

const provider = keys({
  label: anyText().optional().describe("Name on the button of the sign-in page; its name here if absent"),
  issuer: issuer().describe("Address of the provider, below which /.well-known/openid-configuration is"),
  clientId: anyText().describe("Id under which the provider knows Attune"),
  clientSecret: secret()
    .optional()
    .describe("Secret of this id, as a reference to a file or a variable; a public client if absent"),
  scopes: z
    .array(anyText(), { error: "must be a list of scopes" })
    .default(["openid", "email", "profile"])
    .refine((scopes) => scopes.includes("openid"), { error: "must have openid" })
    .describe("Scopes that are asked for; with offline_access sessions are refreshed without the person"),
  prompt: anyText()
    .optional()
    .describe("Parameter prompt of the sign-in: consent, where the provider gives refresh tokens only with it"),
  groupsClaim: anyText()
    .default("groups")
    .describe("Claim that has the names of a person's groups, or a path to it: realm_access.roles"),
  groups: z
    .array(group, { error: "must be a list of groups" })
    .max(1000)
    .default([])
    .describe("Roles in projects, by group"),
  emailVerified: z
    .enum(["claim", "always"], { error: "must be claim or always" })
    .default("claim")
    .describe("claim: addresses are believed with the claim email_verified; always: the provider checks all of them"),
  linkAccounts: boolean()
    .default(false)
    .describe("Whether a person gets the account that has the same verified address already"),
});

/** The sign-in to the dashboard through OpenID Connect. */
export const signIn = keys({
  providers: z
    .record(name(), provider, { error: "must be a map of names to providers" })
    .default({})
    .describe("OpenID Connect providers, by the name in the redirect address: /dashboard/api/sign-in/NAME/callback"),
  required: boolean()
    .default(false)
    .describe("Whether people sign in through a provider only; the account of the first owner keeps its password"),
  refreshMs: integer(10_000, DAY_MS)
    .default(300_000)
    .describe("How often the provider is asked whether a session goes on, and which groups its person has"),
});
