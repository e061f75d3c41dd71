#!/usr/bin/env bash
# Keycloak calls no back-channel logout for a sign-in with the scope offline_access, neither at the person's own logout nor at an administrator's; its refresh token outlives the former.
# Versions: Maven org.keycloak:keycloak-quarkus-dist 26.7.3 (started with start-dev), OpenJDK 17.
# OpenID Connect Back-Channel Logout 1.0, 2.7: sessions of offline_access should not be revoked; that their session's logout isn't told at all isn't said there.
# Guess: the logout token comes in all four cases, and the refresh token of offline_access still works behind both.
# Seen on 2026-12-01: without offline_access both logouts are told, and end the refresh token. With it neither is; the refresh token goes on behind the person's logout, and ends with the administrator's.
# Prints what came; exits 1 if it has changed. Needs Node 20, Java 17 or newer, and Maven. Starting takes minutes.
set -euo pipefail
folder=$(mktemp -d); running=; trap 'for one in $running; do kill "$one"; wait "$one" || true; done; rm -rf "$folder"' EXIT; cd "$folder"
mvn -q -B dependency:copy -Dartifact=org.keycloak:keycloak-quarkus-dist:26.7.3:tar.gz -DoutputDirectory="$PWD" >maven.log 2>&1
tar xzf keycloak-quarkus-dist-26.7.3.tar.gz && mkdir -p keycloak-26.7.3/data/import
free() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }
export PORT LISTEN; PORT=$(free); LISTEN=$(free)
cat > keycloak-26.7.3/data/import/t-realm.json <<J
{"realm": "t", "enabled": true,
 "users": [{"username": "ada", "enabled": true, "email": "ada@example.com", "emailVerified": true, "firstName": "Ada", "lastName": "L", "credentials": [{"type": "password", "value": "pw"}], "realmRoles": ["default-roles-t"]}],
 "clients": [{"clientId": "c", "secret": "s", "redirectUris": ["http://127.0.0.1:$LISTEN/callback"], "attributes": {"backchannel.logout.url": "http://127.0.0.1:$LISTEN/logout", "backchannel.logout.session.required": "true"}}]}
J
JAVA_OPTS_KC_HEAP="-Xms64m -Xmx512m" KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=admin keycloak-26.7.3/bin/kc.sh start-dev --import-realm --http-host=127.0.0.1 --http-port="$PORT" >keycloak.log 2>&1 & running=$!
cat > try.mjs <<'JS'
import { createServer } from "node:http";
const base = `http://127.0.0.1:${process.env.PORT}`, realm = `${base}/realms/t/protocol/openid-connect`, back = `http://127.0.0.1:${process.env.LISTEN}/callback`;
for (let tries = 0; tries < 600 && !(await fetch(`${base}/realms/t`).then(({ ok }) => ok, () => false)); tries++) await new Promise((resolve) => setTimeout(resolve, 1000));
let told = 0;
const server = createServer((request, response) => { told += request.url === "/logout"; request.resume(); response.end(); }).listen(process.env.LISTEN, "127.0.0.1");
const cookies = (answer) => answer.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
const post = (url, form, headers = {}) => fetch(url, { method: "POST", redirect: "manual", headers, body: new URLSearchParams(form) });
async function signIn(scope) {
  const form = await fetch(`${realm}/auth?${new URLSearchParams({ client_id: "c", response_type: "code", redirect_uri: back, scope })}`);
  const action = /action="([^"]+)"/.exec(await form.text())[1].replaceAll("&amp;", "&");
  const sent = await post(action, { username: "ada", password: "pw" }, { cookie: cookies(form) });
  const code = new URL(sent.headers.get("location")).searchParams.get("code");
  return await (await post(`${realm}/token`, { grant_type: "authorization_code", client_id: "c", client_secret: "s", code, redirect_uri: back })).json();
}
const logouts = {
  "the person's logout": async ({ id_token }) => (await fetch(`${realm}/logout?id_token_hint=${id_token}`)).status,
  "the administrator's logout": async ({ id_token }) => {
    const { access_token } = await (await post(`${base}/realms/master/protocol/openid-connect/token`, { grant_type: "password", client_id: "admin-cli", username: "admin", password: "admin" })).json();
    const { sub } = JSON.parse(Buffer.from(id_token.split(".")[1], "base64url"));
    return (await fetch(`${base}/admin/realms/t/users/${sub}/logout`, { method: "POST", headers: { authorization: `Bearer ${access_token}` } })).status;
  },
};
const seen = JSON.parse(process.argv[2]);
let changed = false;
for (const scope of ["openid", "openid offline_access"]) for (const [name, logOut] of Object.entries(logouts)) {
  const tokens = await signIn(scope);
  told = 0;
  const status = await logOut(tokens);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const { ok } = await post(`${realm}/token`, { grant_type: "refresh_token", client_id: "c", client_secret: "s", refresh_token: tokens.refresh_token });
  const came = `${told > 0 ? "told" : "not told"}, refresh ${ok ? "works" : "refused"}`, wanted = seen.shift();
  changed ||= came !== wanted;
  console.log(`${came === wanted ? "as seen" : "CHANGED"}: ${scope}, ${name} (${status}): ${came} (${wanted} on 2026-12-01)`);
  await logouts["the administrator's logout"](tokens);
}
server.close(); server.closeAllConnections();
process.exitCode = changed ? 1 : 0;
JS
node try.mjs '["told, refresh refused", "told, refresh refused", "not told, refresh works", "not told, refresh refused"]'
