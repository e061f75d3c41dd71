import { z } from "zod";
import { ROLES } from "../vocabulary/roles.ts";
import { across } from "./across.ts";
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
    "Name or id of the group, as the provider sends it; '*' for everyone who signs in through it",
  ),
  project: anyText().describe("Name or id of the project"),
  role: z
    .enum(ROLES, { error: `must be ${ROLES.join(", ")}` })
    .describe("Role in the project; with several groups, the first of owner, admin, developer, viewer and billing"),
});

const provider = keys({
  label: anyText().optional().describe("Name on the button of the sign-in page; its name here if absent"),
  issuer: issuer().describe("Issuer URL, where /.well-known/openid-configuration is"),
  clientId: anyText().describe("Client id of Attune at the provider"),
  clientSecret: secret()
    .optional()
    .describe("Client secret, as a reference to a file or a variable; a public client if absent"),
  scopes: z
    .array(anyText(), { error: "must be a list of scopes" })
    .default(["openid", "email", "profile"])
    .refine((scopes) => scopes.includes("openid"), { error: "must have openid" })
    .describe("Requested scopes; with offline_access, sessions are refreshed in the background"),
  prompt: anyText()
    .optional()
    .describe("The prompt parameter of the sign-in; some providers give refresh tokens only with consent"),
  groupsClaim: anyText()
    .default("groups")
    .describe("Claim with a person's groups, or a path to it: realm_access.roles"),
  groups: z
    .array(group, { error: "must be a list of groups" })
    .max(1000)
    .default([])
    .describe("Roles in projects, by group"),
  emailVerified: z
    .enum(["claim", "always"], { error: "must be claim or always" })
    .default("claim")
    .describe("claim: trusts addresses with the claim email_verified; always: trusts all addresses of the provider"),
  linkAccounts: boolean()
    .default(false)
    .describe("Sign people in to an existing account with the same verified address"),
});

const settings = keys({
  providers: z
    .record(name(), provider, { error: "must be a map of names to providers" })
    .default({})
    .describe("OpenID Connect providers, by the name in the redirect address: /dashboard/api/sign-in/NAME/callback"),
  required: boolean().default(false).describe("Turn passwords off, except for the first owner"),
  refreshMs: integer(10_000, DAY_MS)
    .default(300_000)
    .describe("How often sessions and groups are checked with the provider"),
});

/** The sign-in to the dashboard through OpenID Connect. */
export const signIn = across(settings, ({ required, providers }) =>
  required === true && Object.keys(providers ?? {}).length === 0
    ? [{ path: ["required"], message: "lets nobody in: add a provider under providers" }]
    : [],
);
