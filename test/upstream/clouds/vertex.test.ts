import { generateKeyPairSync, verify } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { askModels } from "../../../src/upstream/ask-models.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../../support/scripted-upstream.ts";
import { useTemporaryFolders } from "../../support/temporary-folder.ts";
import { type CloudConfig, cloudUpstream, openCloud } from "./call-cloud.ts";

const MODEL = "claude-sonnet-4@20250514";
const BASE = "/v1/projects/p/locations/us-east5";
const PATH = `${BASE}/publishers/anthropic/models/${MODEL}`;
const SCOPE = "https://www.googleapis.com/auth/cloud-platform";

/** A stream as Vertex AI sends it (cloud.google.com, partner models, Claude: streaming): Anthropic's events by SSE. */
const STREAM = [
  '{"type":"message_start","message":{"id":"msg_vrtx_01","type":"message","role":"assistant","model":"claude-sonnet-4-20250514","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}}',
  '{"type":"ping"}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}',
  '{"type":"content_block_stop","index":0}',
  '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":4}}',
  '{"type":"message_stop"}',
]
  .map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`)
  .join("");

const HELLO = { text: "Hello", finish: FinishReason.STOP, error: undefined };

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PRIVATE_KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
});

afterEach(() => scripted.close());

const temporaryFolder = useTemporaryFolders();

/** Writes a file of credentials, and returns its path. */
function writeCredentials(credentials: unknown): string {
  const file = join(temporaryFolder(), "credentials.json");
  writeFileSync(file, JSON.stringify(credentials));
  return file;
}

function serviceAccount(rest: Readonly<Record<string, unknown>> = {}): string {
  return writeCredentials({
    type: "service_account",
    private_key_id: "key-1",
    private_key: PRIVATE_KEY,
    client_email: "attune@p.iam.gserviceaccount.com",
    token_uri: `${scripted.url}/token`,
    ...rest,
  });
}

function vertex(credentialsFile?: string): CloudConfig {
  const auth = { type: "google" as const, credentialsFile };
  return { kind: "anthropic-messages", platform: "vertex", baseUrl: scripted.url + BASE, auth };
}

/** Answers by path; every other one has the stream. */
function answerBy(answers: Readonly<Record<string, unknown>>): void {
  scripted.answerBy((path) => {
    const found = answers[path.split("?")[0] ?? ""];
    if (found === undefined) return { steps: [STREAM] };
    return wholeAnswer(typeof found === "string" ? found : JSON.stringify(found));
  });
}

async function callOnce(config: CloudConfig, environment: Readonly<Record<string, string>> = {}, betas: string[] = []) {
  const cloud = openCloud(config, environment);
  const answer = await cloud.call(MODEL, { streamed: true, betas });
  await cloud.close();
  return answer;
}

describe("an upstream at Google Vertex AI", () => {
  it("sends a token that it gets by the key of a service account", async () => {
    answerBy({ "/token": { access_token: "ya29.token-1", expires_in: 3599, token_type: "Bearer" } });
    expect(await callOnce(vertex(serviceAccount()), {}, ["some-beta"])).toEqual(HELLO);
    const [asked, called] = scripted.received;
    const form = Object.fromEntries(new URLSearchParams(asked?.body));
    expect(form["grant_type"]).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [header = "", claims = "", signature = ""] = form["assertion"]?.split(".") ?? [];
    const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    expect(read(header)).toEqual({ alg: "RS256", typ: "JWT", kid: "key-1" });
    const { iat, exp, ...others } = read(claims);
    const audience = `${scripted.url}/token`;
    expect(others).toEqual({ iss: "attune@p.iam.gserviceaccount.com", scope: SCOPE, aud: audience });
    expect(exp - iat).toBe(3600);
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify("RSA-SHA256", signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
    expect(called?.path).toBe(`${PATH}:streamRawPredict`);
    expect(called?.headers.authorization).toBe("Bearer ya29.token-1");
    expect([called?.headers["anthropic-beta"], called?.headers["anthropic-version"]]).toEqual(["some-beta", undefined]);
    expect(JSON.parse(called?.body ?? "")).toEqual({
      anthropic_version: "vertex-2023-10-16",
      max_tokens: 100,
      messages: [{ role: "user", content: "Say hello" }],
      stream: true,
    });
  });

  it("exchanges the token of a workload for that of a service account", async () => {
    const tokenFile = join(temporaryFolder(), "token.json");
    writeFileSync(tokenFile, JSON.stringify({ id_token: "workload-jwt" }));
    const account = "/v1/projects/-/serviceAccounts/attune@p.iam.gserviceaccount.com:generateAccessToken";
    const file = writeCredentials({
      type: "external_account",
      audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/eks",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: `${scripted.url}/sts`,
      service_account_impersonation_url: scripted.url + account,
      credential_source: { file: tokenFile, format: { type: "json", subject_token_field_name: "id_token" } },
    });
    answerBy({
      "/sts": { access_token: "federated-token", expires_in: 3599 },
      [account]: { accessToken: "ya29.account-token", expireTime: "2099-01-01T00:00:00Z" },
    });
    expect(await callOnce(vertex(), { GOOGLE_APPLICATION_CREDENTIALS: file })).toEqual(HELLO);
    const [exchanged, impersonated, called] = scripted.received;
    expect(Object.fromEntries(new URLSearchParams(exchanged?.body))).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/eks",
      scope: SCOPE,
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      subject_token: "workload-jwt",
    });
    expect(impersonated?.headers.authorization).toBe("Bearer federated-token");
    expect(JSON.parse(impersonated?.body ?? "")).toEqual({ scope: [SCOPE], lifetime: "3600s" });
    expect(called?.headers.authorization).toBe("Bearer ya29.account-token");
  });

  it("gets the token of a person as gcloud writes it", async () => {
    answerBy({ "/token": { access_token: "ya29.person", expires_in: 3599 } });
    const person = { client_id: "c", client_secret: "s", refresh_token: "r", token_uri: `${scripted.url}/token` };
    expect(await callOnce(vertex(writeCredentials({ type: "authorized_user", ...person })))).toEqual(HELLO);
    expect(scripted.received[0]?.body).toBe("grant_type=refresh_token&client_id=c&client_secret=s&refresh_token=r");
  });

  it("asks the metadata server, where there is no file", async () => {
    const path = "/computeMetadata/v1/instance/service-accounts/default/token";
    answerBy({ [path]: { access_token: "ya29.meta", expires_in: 3599, token_type: "Bearer" } });
    expect(await callOnce(vertex(), { GCE_METADATA_HOST: new URL(scripted.url).host })).toEqual(HELLO);
    expect(scripted.received[0]?.headers["metadata-flavor"]).toBe("Google");
    expect(scripted.received[1]?.headers.authorization).toBe("Bearer ya29.meta");
  });

  it("calls Gemini through its OpenAI endpoint", async () => {
    answerBy({ "/token": { access_token: "ya29.gemini", expires_in: 3599 } });
    const auth = { type: "google" as const, credentialsFile: serviceAccount() };
    const openai = { kind: "openai-chat" as const, baseUrl: `${scripted.url}${BASE}/endpoints/openapi`, auth };
    await callOnce(openai);
    expect(scripted.received[1]?.path).toBe(`${BASE}/endpoints/openapi/chat/completions`);
    expect(scripted.received[1]?.headers.authorization).toBe("Bearer ya29.gemini");
  });

  it("counts tokens at a path of its own", async () => {
    const path = `${BASE}/publishers/anthropic/models/count-tokens:rawPredict`;
    answerBy({ "/token": { access_token: "ya29.token-1", expires_in: 3599 }, [path]: { input_tokens: 9 } });
    const cloud = openCloud(vertex(serviceAccount()));
    expect(await cloud.count(MODEL)).toBe(9);
    await cloud.close();
    expect(JSON.parse(scripted.received[1]?.body ?? "")).toEqual({
      anthropic_version: "vertex-2023-10-16",
      model: MODEL,
      messages: [{ role: "user", content: "Say hello" }],
    });
  });

  it("reads Google's own refusals", async () => {
    const body = '[{"error":{"code":403,"message":"Permission denied on resource","status":"PERMISSION_DENIED"}}]';
    scripted.answerBy((path) =>
      path === "/token"
        ? wholeAnswer('{"access_token":"ya29.token-1","expires_in":3599}')
        : { ...wholeAnswer(body), status: 403 },
    );
    const { error } = await callOnce(vertex(serviceAccount()));
    expect([error?.reason, error?.facts.upstreamStatus]).toEqual([ErrorReason.UPSTREAM_UNAUTHENTICATED, 403]);
  });

  it("says what to look at where Google refuses, without what it says of the key", async () => {
    const body = { error: "invalid_grant", error_description: "Invalid JWT Signature for ya29.secret" };
    scripted.answer({ ...wholeAnswer(JSON.stringify(body)), status: 400 });
    const { error } = await callOnce(vertex(serviceAccount()));
    expect(error?.message).toBe(
      "Google's token endpoint didn't return credentials (status 400, invalid_grant): check the file of auth.credentialsFile, and that its key is not deleted",
    );
  });

  it.each([
    [{ private_key: "no key" }, "the file of auth.credentialsFile has no 'private_key' that can be used"],
    [{ client_email: "" }, "the file of auth.credentialsFile has no 'client_email' that can be used"],
  ])("says what is wrong with the file: %j", async (rest, message) => {
    const { error } = await callOnce(vertex(serviceAccount(rest)));
    expect([error?.reason, error?.message]).toEqual([ErrorReason.UPSTREAM_MISCONFIGURED, message]);
  });

  it("says what to set where there is nothing", async () => {
    const { error } = await callOnce(vertex(), { GCE_METADATA_HOST: "127.0.0.1:1" });
    expect(error?.message).toBe(
      "the upstream has no credentials of Google (Google's metadata server cannot be reached (ECONNREFUSED)): set auth.credentialsFile or GOOGLE_APPLICATION_CREDENTIALS, or run where there is a service account",
    );
    const { error: other } = await callOnce(vertex(writeCredentials({ type: "gdch_service_account" })));
    expect(other?.message).toMatch(
      /has no credentials of the type service_account, external_account or authorized_user$/,
    );
  });
});

describe("askModels() of Google Vertex AI", () => {
  it("asks each model for nothing", async () => {
    scripted.answerBy((path) => {
      if (path === "/token") return wholeAnswer('{"access_token":"ya29.token-1","expires_in":3599}');
      const isThere = path === `${PATH}:rawPredict`;
      const error = isThere ? "max_tokens: Field required" : "Publisher Model was not found";
      return { ...wholeAnswer(JSON.stringify({ error: { message: error } })), status: isThere ? 400 : 404 };
    });
    const answer = await askModels(cloudUpstream(vertex(serviceAccount())), [MODEL, "claude-none"]);
    expect(answer).toEqual({ kind: "listed", unknown: ["claude-none"], atMs: expect.any(Number) });
  });
});
