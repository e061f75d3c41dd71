#!/usr/bin/env bash
# A provider that adds one post-quantum key to its JWKS stops sign-in with six libraries: they refuse the whole set, and with it the RSA key that they ask for.
# Versions: npm jose 6.2.18, jwks-rsa 4.1.0, node-jose 2.2.0; PyPI PyJWT 2.15.1, Authlib 1.9.10, joserfc 1.8.0, python-jose 3.5.0, jwcrypto 1.6.1;
# Go github.com/go-jose/go-jose/v4 4.1.9, github.com/coreos/go-oidc/v3 3.21.0, github.com/lestrrat-go/jwx/v3 3.4.0; Rust jsonwebtoken 10.4.0.
# RFC 7517 (5): keys of a type that is not understood, or that are out of range, should be ignored. Keys of ML-DSA have the type AKP.
# Guess: two of them fail.
# Seen on 2026-12-01: beside an AKP key node-jose, Authlib, python-jose, go-jose, jwx and jsonwebtoken for Rust fail; beside an EC key of a curve that is new joserfc fails too, and node-jose and Authlib hold. go-oidc, which is built on go-jose, reads one key after another and holds.
# Prints what each made of a token of the RSA key; exits 1 if one has changed. Needs Node 20 with npm, python3 with venv, Go and cargo.
set -euo pipefail
folder=$(mktemp -d); trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund jose@6.2.18 jwks-rsa@4.1.0 node-jose@2.2.0 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check 'PyJWT[crypto]==2.15.1' Authlib==1.9.10 joserfc==1.8.0 'python-jose[cryptography]==3.5.0' jwcrypto==1.6.1
cat > keys.mjs <<'JS'
import fs from "node:fs"; import * as jose from "jose";
const { publicKey, privateKey } = await jose.generateKeyPair("RS256", { extractable: true });
const rsa = { ...(await jose.exportJWK(publicKey)), kid: "r", use: "sig", alg: "RS256" };
const token = await new jose.SignJWT({ aud: "app" }).setProtectedHeader({ alg: "RS256", kid: "r" }).setIssuedAt().setExpirationTime("1h").sign(privateKey);
const akp = { kty: "AKP", alg: "ML-DSA-65", kid: "a", use: "sig", pub: Buffer.alloc(1952, 7).toString("base64url") };
const curve = { kty: "EC", crv: "BP-256", kid: "c", use: "sig", x: Buffer.alloc(32, 1).toString("base64url"), y: Buffer.alloc(32, 1).toString("base64url") };
fs.writeFileSync("data.json", JSON.stringify({ token, alone: { keys: [rsa] }, akp: { keys: [akp, rsa] }, curve: { keys: [curve, rsa] } }));
JS
node keys.mjs
cat > verify.py <<'PY'
import json, jwt; from authlib.jose import JsonWebKey, jwt as authlib; from jose import jwt as python_jose; from joserfc import jwk, jwt as joserfc; from jwcrypto import jwk as cjwk, jwt as cjwt
data = json.load(open("data.json")); token = data["token"]
libraries = {
    "PyJWT": lambda keys: jwt.decode(token, next(key for key in jwt.PyJWKSet.from_dict(keys).keys if key.key_id == "r"), algorithms=["RS256"], audience="app"),
    "Authlib": lambda keys: authlib.decode(token, JsonWebKey.import_key_set(keys)), "joserfc": lambda keys: joserfc.decode(token, jwk.KeySet.import_key_set(keys)),
    "python-jose": lambda keys: python_jose.decode(token, keys, algorithms=["RS256"], audience="app"), "jwcrypto": lambda keys: cjwt.JWT(jwt=token, key=cjwk.JWKSet.from_json(json.dumps(keys))),
}
for name, verify in libraries.items():
    for keys in ["alone", "akp", "curve"]:
        try: verify(data[keys]); print(name, keys, "verified", sep="|")
        except Exception: print(name, keys, "refused", sep="|")
PY
mkdir -p go rust/src
cat > go/main.go <<'GO'
package main

import ("context"; "encoding/json"; "fmt"; "net/http"; "net/http/httptest"; "os"; "github.com/coreos/go-oidc/v3/oidc"; "github.com/go-jose/go-jose/v4"; "github.com/lestrrat-go/jwx/v3/jwk"; "github.com/lestrrat-go/jwx/v3/jwt")

func main() {
	raw, _ := os.ReadFile("data.json"); var data map[string]json.RawMessage; _ = json.Unmarshal(raw, &data); var token string; _ = json.Unmarshal(data["token"], &token)
	say := func(name, keys string, err error) { if err == nil { fmt.Println(name + "|" + keys + "|verified") } else { fmt.Println(name + "|" + keys + "|refused") } }
	for _, keys := range []string{"alone", "akp", "curve"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data[keys]) }))
		_, err := oidc.NewRemoteKeySet(context.Background(), server.URL).VerifySignature(context.Background(), token); say("go-oidc", keys, err); server.Close()
		var parsed jose.JSONWebKeySet; say("go-jose", keys, json.Unmarshal(data[keys], &parsed))
		set, err := jwk.Parse(data[keys]); if err == nil { _, err = jwt.Parse([]byte(token), jwt.WithKeySet(set)) }; say("jwx", keys, err)
	}
}
GO
(cd go && go mod init x && go get github.com/coreos/go-oidc/v3@v3.21.0 github.com/go-jose/go-jose/v4@v4.1.9 github.com/lestrrat-go/jwx/v3@v3.4.0 && go mod tidy && go build -o ../verify-go .) >go.log 2>&1 || { tail -5 go.log; exit 1; }
printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\njsonwebtoken = { version = "=10.4.0", features = ["rust_crypto"] }\nserde_json = "1"\n' > rust/Cargo.toml
cat > rust/src/main.rs <<'RS'
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, jwk::JwkSet};
fn main() {
    let data: serde_json::Value = serde_json::from_str(&std::fs::read_to_string("data.json").unwrap()).unwrap();
    let mut validation = Validation::new(Algorithm::RS256); validation.set_audience(&["app"]);
    for keys in ["alone", "akp", "curve"] {
        let set = serde_json::from_value::<JwkSet>(data[keys].clone()).ok(); let key = set.as_ref().and_then(|set| set.find("r")).map(|key| DecodingKey::from_jwk(key).unwrap());
        let verified = key.is_some_and(|key| decode::<serde_json::Value>(data["token"].as_str().unwrap(), &key, &validation).is_ok());
        println!("jsonwebtoken for Rust|{keys}|{}", if verified { "verified" } else { "refused" });
    }
}
RS
(cd rust && cargo build --quiet) >cargo.log 2>&1 || { tail -5 cargo.log; exit 1; }
cat > run.mjs <<'JS'
import { execFileSync } from "node:child_process"; import fs from "node:fs"; import http from "node:http"; import * as jose from "jose"; import jwksRsa from "jwks-rsa"; import nodeJose from "node-jose";
const data = JSON.parse(fs.readFileSync("data.json", "utf8")), lines = [];
const server = http.createServer((request, response) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(data[request.url.slice(1)]))); await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const libraries = {
  jose: async (name) => jose.jwtVerify(data.token, jose.createLocalJWKSet(data[name])),
  "jwks-rsa": async (name) => jwksRsa({ jwksUri: `http://127.0.0.1:${server.address().port}/${name}` }).getSigningKey("r"),
  "node-jose": async (name) => nodeJose.JWS.createVerify(await nodeJose.JWK.asKeyStore(data[name])).verify(data.token),
};
for (const [name, verify] of Object.entries(libraries)) for (const keys of ["alone", "akp", "curve"]) lines.push([name, keys, await verify(keys).then(() => "verified", () => "refused")]);
server.close(); server.closeAllConnections();
for (const [command, ...args] of [["venv/bin/python", "-W", "ignore", "verify.py"], ["./verify-go"], ["rust/target/debug/x"]]) lines.push(...execFileSync(command, args, { encoding: "utf8" }).trim().split("\n").map((line) => line.split("|")));
const refuse = { akp: ["node-jose", "Authlib", "python-jose", "go-jose", "jwx", "jsonwebtoken for Rust"], curve: ["joserfc", "python-jose", "go-jose", "jwx", "jsonwebtoken for Rust"] };
let changed = lines.length !== 36;
for (const [name, keys, seen] of lines) { const expected = refuse[keys]?.includes(name) ? "refused" : "verified"; changed ||= seen !== expected; console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${name}, RSA key ${keys === "alone" ? keys : `beside ${keys}`}: ${seen} (${expected} on 2026-12-01)`); }
process.exit(changed ? 1 : 0);
JS
node run.mjs
