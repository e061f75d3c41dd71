import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Claims = Record<string, unknown>;

/** A sign-in provider whose answers a test decides. */
export interface FakeOidcProvider {
  readonly issuer: string;
  /** Claims of the person who signs in, beside `iss`, `aud`, `exp`, `iat` and `nonce`; those given here win. */
  claims: Claims;
  /** Answers the token endpoint in place of the provider. */
  answerToken:
    | ((grant: string) => { readonly status: number; readonly body: unknown } | "never" | undefined)
    | undefined;
  /** Grants that the token endpoint was asked for. */
  readonly grants: string[];
  /** Signs in at the address that Attune sends people to; returns where the provider sends them back to. */
  authorize(authorizationUrl: string): URL;
  /** Signs a token as the provider does. */
  signToken(claims: Claims): string;
  close(): Promise<void>;
}

/** Client that the provider knows. */
export const OIDC_CLIENT = { id: "attune", secret: "a-secret-of-the-client" };

interface Code {
  readonly challenge: string;
  readonly nonce: string;
}

/** Starts a provider on a free port of loopback. */
export async function startFakeOidcProvider(): Promise<FakeOidcProvider> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const codes = new Map<string, Code>();
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: FakeOidcProvider = {
    issuer,
    claims: {},
    answerToken: undefined,
    grants: [],
    authorize(authorizationUrl) {
      const asked = new URL(authorizationUrl).searchParams;
      const code = randomUUID();
      codes.set(code, { challenge: asked.get("code_challenge") ?? "", nonce: asked.get("nonce") ?? "" });
      const back = new URL(asked.get("redirect_uri") ?? "");
      back.search = `${new URLSearchParams({ code, state: asked.get("state") ?? "" })}`;
      return back;
    },
    signToken(claims) {
      const head = `${encode({ alg: "ES256", kid: "one" })}.${encode(claims)}`;
      const signature = sign("sha256", Buffer.from(head), { key: privateKey, dsaEncoding: "ieee-p1363" });
      return `${head}.${signature.toString("base64url")}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function tokens(nonce: string | undefined) {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: OIDC_CLIENT.id, iat: now, exp: now + 300, nonce, ...provider.claims };
    const granted = { access_token: randomUUID(), token_type: "Bearer", refresh_token: randomUUID() };
    return { status: 200, body: { ...granted, id_token: provider.signToken(claims) } };
  }

  function grant(form: URLSearchParams, authorization: string | undefined) {
    const kind = form.get("grant_type") ?? "";
    provider.grants.push(kind);
    const scripted = provider.answerToken?.(kind);
    if (scripted !== undefined) return scripted;
    const [, sent = ""] = authorization?.split(" ") ?? [];
    const credentials = Buffer.from(sent, "base64").toString("utf8").split(":").map(decodeURIComponent);
    if (credentials.join(":") !== `${OIDC_CLIENT.id}:${OIDC_CLIENT.secret}`)
      return { status: 401, body: { error: "invalid_client" } };
    if (kind === "refresh_token") return tokens(undefined);
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code?.challenge !== challenge) return { status: 400, body: { error: "invalid_grant" } };
    return tokens(code.nonce);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/.well-known/openid-configuration") {
      send(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["ES256"],
      });
    } else if (request.url === "/keys") {
      send(200, { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", alg: "ES256", use: "sig" }] });
    } else if (request.url === "/token") {
      const result = grant(new URLSearchParams(await text(request)), request.headers.authorization);
      if (result !== "never") send(result.status, result.body);
    } else send(404, {});
  }

  return provider;
}
