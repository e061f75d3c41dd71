/**
 * `node sign-in-by-keycloak.ts FOLDER`: signs people in to a dashboard through a Keycloak that lies in a folder, and
 * prints what held of their roles, of a refresh and of logouts.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Caller } from "../../test/dashboard/caller.ts";
import { startDashboardService } from "../../test/dashboard/harness.ts";
import { freePort } from "../../test/support/free-port.ts";

const [, , folder = ""] = process.argv;
const base = `http://127.0.0.1:${await freePort()}`;
const REFRESH_MS = 10_000;
const PASSWORD = "a few plain words";

const ONLINE = ["openid", "email", "profile"];
const OFFLINE = [...ONLINE, "offline_access"];

/** A realm each, with the claim that Attune reads there and the group that has a role. */
const REALMS = {
  "new-realm": { scopes: ONLINE, claim: "realm_access.roles", group: "attune-admin", mappers: [] },
  groups: {
    scopes: ONLINE,
    claim: "groups",
    group: "platform",
    mappers: [mapper("oidc-group-membership-mapper", "groups")],
  },
  "realm-roles": {
    scopes: OFFLINE,
    claim: "realm_access.roles",
    group: "attune-admin",
    mappers: [mapper("oidc-usermodel-realm-role-mapper", "realm_access.roles")],
  },
  "client-roles": {
    scopes: OFFLINE,
    claim: "resource_access.attune.roles",
    group: "admin",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Keycloak's own placeholder.
    mappers: [mapper("oidc-usermodel-client-role-mapper", "resource_access.${client_id}.roles")],
  },
} as const;
type Realm = keyof typeof REALMS;

/** A mapper as Keycloak's console creates one, which adds the claim to the ID token and at the userinfo endpoint. */
function mapper(kind: string, claim: string): object {
  const config = {
    "claim.name": claim,
    "id.token.claim": "true",
    "userinfo.token.claim": "true",
    multivalued: "true",
    "jsonType.label": "String",
    "full.path": "false",
  };
  return { name: kind, protocol: "openid-connect", protocolMapper: kind, config };
}

function providerOf([realm, { scopes, claim, group }]: [string, (typeof REALMS)[Realm]]): [string, object] {
  const provider = {
    issuer: `${base}/realms/${realm}`,
    clientId: "attune",
    clientSecret: "a-secret-of-the-client",
    scopes,
    groupsClaim: claim,
    groups: [{ group, project: "default", role: "admin" }],
  };
  return [realm, provider];
}

const providers = Object.fromEntries(Object.entries(REALMS).map(providerOf));
const signIn = { refreshMs: REFRESH_MS, providers };
const service = await startDashboardService({ configText: JSON.stringify({ dashboard: { signIn } }) });

mkdirSync(join(folder, "data/import"), { recursive: true });
for (const [realm, { mappers }] of Object.entries(REALMS)) {
  const client = {
    clientId: "attune",
    secret: "a-secret-of-the-client",
    redirectUris: [`${service.url}/dashboard/api/sign-in/${realm}/callback`],
    attributes: { "backchannel.logout.url": `${service.url}/dashboard/api/sign-in/${realm}/logout` },
    protocolMappers: mappers,
  };
  const person = {
    username: "ada",
    enabled: true,
    email: `ada@${realm}.example`,
    emailVerified: true,
    firstName: "Ada",
    lastName: "Lovelace",
    credentials: [{ type: "password", value: PASSWORD }],
    realmRoles: ["attune-admin", `default-roles-${realm}`],
    clientRoles: { attune: ["admin"] },
    groups: ["/platform"],
  };
  const text = JSON.stringify({
    realm,
    enabled: true,
    roles: { realm: [{ name: "attune-admin" }], client: { attune: [{ name: "admin" }] } },
    groups: [{ name: "platform" }],
    clients: [client],
    users: [person],
  });
  writeFileSync(join(folder, "data/import", `${realm}-realm.json`), text);
}

const log = openSync("keycloak.log", "w");
const env = {
  ...process.env,
  JAVA_OPTS_KC_HEAP: "-Xms64m -Xmx512m",
  KC_BOOTSTRAP_ADMIN_USERNAME: "admin",
  KC_BOOTSTRAP_ADMIN_PASSWORD: "admin",
};
const args = ["start-dev", "--import-realm", "--http-host=127.0.0.1", `--http-port=${new URL(base).port}`];
const keycloak = spawn(join(folder, "bin/kc.sh"), args, { env, stdio: ["ignore", log, log] });

async function isReady(): Promise<boolean> {
  const answer = await fetch(`${base}/realms/groups/.well-known/openid-configuration`).catch(() => undefined);
  return answer?.ok ?? false;
}
for (let tries = 0; tries < 900 && keycloak.exitCode === null && !(await isReady()); tries++) await delay(1000);

function check(step: string, held: boolean, seen: unknown): void {
  console.log(held ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)}`);
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

/** Signs a person in as a browser does: to Keycloak's form and back. */
async function signInBy(realm: Realm): Promise<Caller> {
  const start = await fetch(`${service.url}/dashboard/api/sign-in/${realm}/start`, { redirect: "manual" });
  const form = await fetch(start.headers.get("location") ?? "");
  const [, action = ""] = /action="([^"]+)"/.exec(await form.text()) ?? [];
  const sent = await fetch(action.replaceAll("&amp;", "&"), {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(form) },
    body: new URLSearchParams({ username: "ada", password: PASSWORD }),
  });
  const back = await fetch(sent.headers.get("location") ?? "", { headers: { cookie: cookiesOf(start) } });
  const caller = new Caller(service.url);
  caller.cookie = /(?:^|; )(attune_session=[^;]+)/.exec(cookiesOf(back))?.[1];
  if (caller.cookie === undefined) check(`${realm}: signs in`, false, (await back.text()).slice(-300));
  return caller;
}

/** Returns the roles of a session: undefined once it has ended. */
async function rolesOf(caller: Caller): Promise<readonly string[] | undefined> {
  const { user, projects } = (await caller.query("session.current")).data as {
    readonly user: object | null;
    readonly projects?: readonly { readonly role: string }[];
  };
  return user === null ? undefined : (projects ?? []).map(({ role }) => role);
}

async function tokenOf(): Promise<string> {
  const form = { grant_type: "password", client_id: "admin-cli", username: "admin", password: "admin" };
  const path = "/realms/master/protocol/openid-connect/token";
  const answer = await fetch(base + path, { method: "POST", body: new URLSearchParams(form) });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
}

/** Asks Keycloak as its administrator. */
async function administer(method: string, path: string): Promise<readonly { readonly id: string }[]> {
  const headers = { authorization: `Bearer ${await tokenOf()}` };
  const text = await (await fetch(`${base}/admin/realms${path}`, { method, headers })).text();
  return text === "" ? [] : (JSON.parse(text) as { readonly id: string }[]);
}

for (const realm of ["groups", "realm-roles", "client-roles"] as const) {
  const roles = await rolesOf(await signInBy(realm));
  check(`${REALMS[realm].claim} by a mapper`, roles?.join() === "admin", roles);
}
const unmapped = await rolesOf(await signInBy("new-realm"));
check("a new realm tells no roles to clients", unmapped?.length === 0, unmapped);

const session = await signInBy("groups");
const [person] = await administer("GET", "/groups/users?username=ada");
const [group] = await administer("GET", "/groups/groups?search=platform");
await administer("DELETE", `/groups/users/${person?.id}/groups/${group?.id}`);
await delay(REFRESH_MS + 1000);
const left = await rolesOf(session);
check("a refresh takes the role of a group that was left", left?.length === 0, left);

await administer("POST", `/groups/users/${person?.id}/logout`);
let ended = await rolesOf(session);
for (let tries = 0; tries < 5 && ended !== undefined; tries++) {
  await delay(1000);
  ended = await rolesOf(session);
}
check("the back channel ends a session", ended === undefined, ended);

const offline = await signInBy("realm-roles");
const [other] = await administer("GET", "/realm-roles/users?username=ada");
await administer("POST", `/realm-roles/users/${other?.id}/logout`);
await delay(REFRESH_MS + 1000);
const refused = await rolesOf(offline);
check("with offline_access a refresh ends a session that was logged out", refused === undefined, refused);

const last = await signInBy("client-roles");
const [deleted] = await administer("GET", "/client-roles/users?username=ada");
await administer("DELETE", `/client-roles/users/${deleted?.id}`);
await delay(REFRESH_MS + 1000);
const gone = await rolesOf(last);
check("a refresh ends the session of a person who is gone", gone === undefined, gone);

await service.close();
keycloak.kill();
if (keycloak.exitCode === null) await once(keycloak, "exit");
process.exit(0);
