import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { askModels } from "../../../src/upstream/ask-models.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../../support/scripted-upstream.ts";
import { useTemporaryFolders } from "../../support/temporary-folder.ts";
import { type CloudConfig, cloudUpstream, openCloud } from "./call-cloud.ts";

/**
 * A stream of Azure OpenAI as its reference shows it (learn.microsoft.com/azure/foundry/openai/latest, content
 * filters): the first piece has no choice, and results of filters stand beside choices.
 */
const STREAM = [
  '{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}',
  '{"choices":[{"content_filter_results":{},"delta":{"content":"","refusal":null,"role":"assistant"},"finish_reason":null,"index":0,"logprobs":null}],"created":1764230400,"id":"chatcmpl-1","model":"gpt-4o-2024-11-20","object":"chat.completion.chunk","system_fingerprint":"fp_1"}',
  '{"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"delta":{"content":"Hello"},"finish_reason":null,"index":0,"logprobs":null}],"created":1764230400,"id":"chatcmpl-1","model":"gpt-4o-2024-11-20","object":"chat.completion.chunk","system_fingerprint":"fp_1"}',
  '{"choices":[{"content_filter_results":{},"delta":{},"finish_reason":"stop","index":0,"logprobs":null}],"created":1764230400,"id":"chatcmpl-1","model":"gpt-4o-2024-11-20","object":"chat.completion.chunk","system_fingerprint":"fp_1"}',
  '{"choices":[],"created":1764230400,"id":"chatcmpl-1","model":"gpt-4o-2024-11-20","object":"chat.completion.chunk","system_fingerprint":"fp_1","usage":{"completion_tokens":1,"prompt_tokens":9,"total_tokens":10}}',
]
  .map((data) => `data: ${data}\n\n`)
  .join("");

const HELLO = { text: "Hello", finish: FinishReason.STOP, error: undefined };
const ANSWER = { steps: [`${STREAM}data: [DONE]\n\n`] };
const TOKEN_PATH = "/tenant-1/oauth2/v2.0/token";

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
});

afterEach(() => scripted.close());

const temporaryFolder = useTemporaryFolders();

/** Answers questions for tokens with token-1, token-2 and so on; those in `refused` are refused by the model. */
function answerWithTokens(token: Record<string, unknown>, refused: readonly string[] = []): void {
  let count = 0;
  scripted.answerBy((path) => {
    if (path.includes("/openai/")) {
      const { authorization } = scripted.received.at(-1)?.headers ?? {};
      const isRefused = refused.some((value) => authorization === `Bearer ${value}`);
      return isRefused ? { ...wholeAnswer('{"error":{"code":"401","message":"Access denied"}}'), status: 401 } : ANSWER;
    }
    count += 1;
    return wholeAnswer(JSON.stringify({ token_type: "Bearer", access_token: `token-${count}`, ...token }));
  });
}

function azure(auth: CloudConfig["auth"], rest: Partial<CloudConfig> = {}): CloudConfig {
  return { kind: "openai-chat", baseUrl: `${scripted.url}/openai/v1`, auth, ...rest };
}

async function callOnce(config: CloudConfig, environment: Readonly<Record<string, string>> = {}) {
  const cloud = openCloud(config, environment);
  const answer = await cloud.call("gpt-4o", { streamed: true });
  await cloud.close();
  return answer;
}

describe("an upstream at Azure OpenAI", () => {
  it("sends its key in the header api-key, and names the deployment and the version", async () => {
    scripted.answer(ANSWER);
    const dated = { baseUrl: `${scripted.url}/openai`, apiVersion: "2024-10-21", apiKey: "azure-secret" };
    expect(await callOnce(azure({ type: "header", name: "api-key" }, dated))).toEqual(HELLO);
    const [{ path, headers }] = scripted.received as [ScriptedUpstream["received"][number]];
    expect(path).toBe("/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21");
    expect([headers["api-key"], headers.authorization]).toEqual(["azure-secret", undefined]);
  });

  it("has the version of the Responses format in the query", async () => {
    scripted.answer({ status: 500, steps: ["{}"] });
    const dated = {
      kind: "openai-responses",
      baseUrl: `${scripted.url}/openai`,
      apiVersion: "2025-04-01-preview",
    } as const;
    await callOnce(azure(undefined, dated));
    expect(scripted.received.map(({ path }) => path)).toEqual(["/openai/responses?api-version=2025-04-01-preview"]);
  });

  it("gets a token of Entra ID by a client secret, once for several calls", async () => {
    answerWithTokens({ expires_in: 3599 });
    const auth = { type: "azure", tenantId: "tenant-1", clientId: "app-1", clientSecret: "app-secret" } as const;
    const cloud = openCloud(azure(auth), { AZURE_AUTHORITY_HOST: scripted.url });
    const answers = await Promise.all([1, 2, 3].map(() => cloud.call("gpt-4o", { streamed: true })));
    await cloud.close();
    expect(answers).toEqual([HELLO, HELLO, HELLO]);
    const [asked, ...calls] = scripted.received;
    expect(asked?.path).toBe(TOKEN_PATH);
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: "client_credentials",
      client_id: "app-1",
      client_secret: "app-secret",
      scope: "https://cognitiveservices.azure.com/.default",
    });
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill("Bearer token-1"));
  });

  it("gets it by the token of a workload, as the environment says", async () => {
    answerWithTokens({ expires_in: 3599 });
    const file = join(temporaryFolder(), "token");
    writeFileSync(file, "workload-jwt\n");
    const environment = {
      AZURE_AUTHORITY_HOST: `${scripted.url}/`,
      AZURE_TENANT_ID: "tenant-1",
      AZURE_CLIENT_ID: "app-1",
      AZURE_FEDERATED_TOKEN_FILE: file,
    };
    expect(await callOnce(azure({ type: "azure", scope: "https://ai.azure.com/.default" }), environment)).toEqual(
      HELLO,
    );
    expect(Object.fromEntries(new URLSearchParams(scripted.received[0]?.body))).toEqual({
      grant_type: "client_credentials",
      client_id: "app-1",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "workload-jwt",
      scope: "https://ai.azure.com/.default",
    });
  });

  it("asks the endpoint of a virtual machine for the token of a managed identity", async () => {
    answerWithTokens({ expires_in: "86399", expires_on: "1964230400" });
    const environment = { AZURE_POD_IDENTITY_AUTHORITY_HOST: scripted.url };
    expect(await callOnce(azure({ type: "azure", clientId: "identity-1" }), environment)).toEqual(HELLO);
    const resource = encodeURIComponent("https://cognitiveservices.azure.com");
    expect(scripted.received[0]?.path).toBe(
      `/metadata/identity/oauth2/token?api-version=2018-02-01&resource=${resource}&client_id=identity-1`,
    );
    expect(scripted.received[0]?.headers["metadata"]).toBe("true");
  });

  it("asks the endpoint of an app for it", async () => {
    answerWithTokens({ expires_on: String(Math.round(Date.now() / 1000) + 3600) });
    const environment = { IDENTITY_ENDPOINT: `${scripted.url}/msi/token`, IDENTITY_HEADER: "header-secret" };
    expect(await callOnce(azure({ type: "azure" }), environment)).toEqual(HELLO);
    expect(scripted.received[0]?.path).toMatch(/^\/msi\/token\?api-version=2019-08-01&resource=/);
    expect(scripted.received[0]?.headers["x-identity-header"]).toBe("header-secret");
  });

  const SECRET = { type: "azure", tenantId: "tenant-1", clientId: "app-1", clientSecret: "app-secret" } as const;

  it("does not ask for another token at once where one that is new is refused", async () => {
    answerWithTokens({ expires_in: 3599 }, ["token-1"]);
    const { error } = await callOnce(azure(SECRET), { AZURE_AUTHORITY_HOST: scripted.url });
    expect([error?.reason, error?.facts.upstreamStatus]).toEqual([ErrorReason.UPSTREAM_UNAUTHENTICATED, 401]);
    expect(scripted.received.map(({ path }) => path)).toEqual([TOKEN_PATH, "/openai/v1/chat/completions"]);
  });

  it("says which settings to look at where Entra ID refuses, and repeats no secret", async () => {
    const refusal = { error: "invalid_client", error_description: "AADSTS7000215: Invalid client secret app-secret" };
    scripted.answer({ ...wholeAnswer(JSON.stringify(refusal)), status: 401 });
    const { error } = await callOnce(azure(SECRET), { AZURE_AUTHORITY_HOST: scripted.url });
    expect(error?.reason).toBe(ErrorReason.UPSTREAM_UNAUTHENTICATED);
    expect(error?.message).toBe(
      "Entra ID didn't return credentials (status 401, invalid_client): check auth.tenantId, auth.clientId and auth.clientSecret",
    );
  });

  it.each([
    [
      { type: "azure", clientSecret: "app-secret" },
      "the upstream's auth needs tenantId and clientId, or AZURE_TENANT_ID and AZURE_CLIENT_ID",
    ],
    [
      { type: "azure", tenantId: "t", clientId: "c", tokenFile: "/nowhere/token" },
      "the file of the upstream's credentials, '/nowhere/token', cannot be read (ENOENT)",
    ],
    [
      { type: "azure" },
      "the managed identity endpoint cannot be reached (ECONNREFUSED): set auth.clientSecret or auth.tokenFile of the upstream, AZURE_CLIENT_SECRET or AZURE_FEDERATED_TOKEN_FILE, or run where there is a managed identity",
    ],
  ] as const)("says what to set for %j", async (auth, message) => {
    const { error } = await callOnce(azure(auth), { AZURE_POD_IDENTITY_AUTHORITY_HOST: "http://127.0.0.1:1" });
    expect([error?.reason, error?.message]).toEqual([ErrorReason.UPSTREAM_MISCONFIGURED, message]);
  });

  it("does not show its token in an error", async () => {
    scripted.answerBy((path) =>
      path === TOKEN_PATH
        ? wholeAnswer('{"access_token":"opaque token","expires_in":3599}')
        : { ...wholeAnswer('{"error":{"message":"bad \\"opaque token\\""}}'), status: 400 },
    );
    const { error } = await callOnce(azure(SECRET), { AZURE_AUTHORITY_HOST: scripted.url });
    expect(error?.message).toBe('bad "[redacted]"');
  });
});

describe("askModels() of Azure OpenAI", () => {
  it("asks each deployment for nothing, and tells which are not there", async () => {
    const { DeploymentNotFound, missing } = {
      DeploymentNotFound: '{"error":{"code":"DeploymentNotFound","message":"The API deployment does not exist."}}',
      missing: `{"error":{"message":"Missing required parameter: 'messages'."}}`,
    };
    scripted.answerBy((path) => {
      const isThere = path.startsWith("/openai/deployments/gpt-4o/");
      return { ...wholeAnswer(isThere ? missing : DeploymentNotFound), status: isThere ? 400 : 404 };
    });
    const config = azure(undefined, { baseUrl: `${scripted.url}/openai`, apiVersion: "2024-10-21" });
    const answer = await askModels(cloudUpstream(config), ["gpt-4o", "gpt-5"]);
    expect(answer).toEqual({ kind: "listed", unknown: ["gpt-5"], atMs: expect.any(Number) });
    expect(scripted.received.map(({ body }) => body)).toEqual(['{"model":"gpt-4o"}', '{"model":"gpt-5"}']);
  });

  it("tells of credentials that are not there", async () => {
    const environment = { AZURE_AUTHORITY_HOST: scripted.url };
    const answer = await askModels(cloudUpstream(azure({ type: "azure", clientSecret: "s" })), ["m"], environment);
    expect(answer).toEqual({ kind: "no credentials", message: expect.stringContaining("needs tenantId and clientId") });
  });
});
