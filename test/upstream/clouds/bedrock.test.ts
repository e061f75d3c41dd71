import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { findServerFacts } from "../../../src/catalog/server-facts.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { askModels } from "../../../src/upstream/ask-models.ts";
import { bedrockChunk, bedrockException } from "../../support/aws-frame.ts";
import {
  type Answer,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../../support/scripted-upstream.ts";
import { useTemporaryFolders } from "../../support/temporary-folder.ts";
import { type CloudConfig, cloudUpstream, openCloud } from "./call-cloud.ts";

const MODEL = "us.anthropic.claude-sonnet-4-20250514-v1:0";
const PATH = "/model/us.anthropic.claude-sonnet-4-20250514-v1%3A0";

/**
 * The events of Anthropic's stream as Bedrock sends them (docs.aws.amazon.com/bedrock, Anthropic Claude Messages API).
 */
const EVENTS = [
  {
    type: "message_start",
    message: {
      id: "msg_bdrk_01",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-20250514",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 4 } },
  {
    type: "message_stop",
    "amazon-bedrock-invocationMetrics": {
      inputTokenCount: 10,
      outputTokenCount: 4,
      invocationLatency: 1142,
      firstByteLatency: 987,
    },
  },
];

const STREAM_TYPE = { "content-type": "application/vnd.amazon.eventstream", "x-amzn-requestid": "aws-request-1" };
const STREAM: Answer = { headers: STREAM_TYPE, steps: [Buffer.concat(EVENTS.map(bedrockChunk))] };
const WHOLE_TEXT =
  '{"id":"msg_bdrk_02","type":"message","role":"assistant","model":"claude-sonnet-4-20250514","content":[{"type":"text","text":"Hello"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":4}}';
const WHOLE = wholeAnswer(WHOLE_TEXT);
const HELLO = { text: "Hello", finish: FinishReason.STOP, error: undefined };

const KEYS = { type: "aws", region: "us-east-1", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "aws-secret" } as const;

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
});

afterEach(() => scripted.close());

const temporaryFolder = useTemporaryFolders();

function bedrock(auth: CloudConfig["auth"] = KEYS): CloudConfig {
  return { kind: "anthropic-messages", platform: "bedrock", baseUrl: scripted.url, auth };
}

async function callOnce(
  config: CloudConfig,
  { environment = {}, ...options }: { streamed?: boolean; betas?: string[]; environment?: Record<string, string> } = {},
) {
  const cloud = openCloud(config, environment);
  const answer = await cloud.call(MODEL, options);
  await cloud.close();
  return answer;
}

/** The key and the scope of each signature that came. */
function signatures(): unknown[] {
  return scripted.received.flatMap(({ headers: { authorization } }) => {
    const found = /Credential=([^/]+)\/\d{8}\/(.+)\/aws4_request, SignedHeaders=(\S+), Signature=[0-9a-f]{64}$/;
    const [, key, scope, names] = found.exec(authorization ?? "") ?? [];
    return key === undefined ? [] : [[key, scope, names]];
  });
}

describe("an upstream at Amazon Bedrock", () => {
  it("asks for a stream by its path, and reads it from AWS's framing", async () => {
    scripted.answer(STREAM);
    const answer = await callOnce(bedrock(), { streamed: true, betas: ["context-1m-2025-08-07", "other-beta"] });
    expect(answer).toEqual(HELLO);
    const [{ path, body, headers }] = scripted.received as [ScriptedUpstream["received"][number]];
    expect(path).toBe(`${PATH}/invoke-with-response-stream`);
    expect(JSON.parse(body)).toEqual({
      anthropic_version: "bedrock-2023-05-31",
      anthropic_beta: ["context-1m-2025-08-07", "other-beta"],
      max_tokens: 100,
      messages: [{ role: "user", content: "Say hello" }],
    });
    expect([headers["anthropic-beta"], headers["anthropic-version"], headers["x-api-key"]]).toEqual(
      Array(3).fill(undefined),
    );
    expect(signatures()).toEqual([["AKIDEXAMPLE", "us-east-1/bedrock", "content-type;host;x-amz-date"]]);
  });

  it("asks for a whole answer by its path", async () => {
    scripted.answer(WHOLE);
    expect(await callOnce(bedrock())).toEqual(HELLO);
    expect(scripted.received.map(({ path }) => path)).toEqual([`${PATH}/invoke`]);
  });

  it("sends an API key of Bedrock as it is", async () => {
    scripted.answer(WHOLE);
    expect(await callOnce({ ...bedrock(undefined), auth: undefined, apiKey: "bedrock-api-key" })).toEqual(HELLO);
    expect(scripted.received[0]?.headers.authorization).toBe("Bearer bedrock-api-key");
  });

  it.each([
    [
      400,
      "ValidationException:http://internal.amazon.com/",
      "The provided model identifier is invalid.",
      "MODEL_NOT_FOUND",
    ],
    [400, "ValidationException", "messages: at least one message is required", "INVALID_REQUEST"],
    [400, "ValidationException", "prompt is too long: 210000 tokens > 200000 maximum", "CONTEXT_LENGTH_EXCEEDED"],
    [400, "ServiceQuotaExceededException", "Your request exceeds the service quota.", "RATE_LIMITED"],
    [
      403,
      "AccessDeniedException",
      "User is not authorized to perform: bedrock:InvokeModel",
      "UPSTREAM_UNAUTHENTICATED",
    ],
    [404, "ResourceNotFoundException", "The specified model was not found.", "MODEL_NOT_FOUND"],
    [408, "ModelTimeoutException", "The request took too long to process.", "UPSTREAM_TIMEOUT"],
    [424, "ModelErrorException", "The model failed.", "UPSTREAM_ERROR"],
    [429, "ThrottlingException", "Too many requests, please wait before trying again.", "RATE_LIMITED"],
    [429, "ModelNotReadyException", "The model is not ready.", "UPSTREAM_OVERLOADED"],
    [503, "ServiceUnavailableException", "Bedrock is unable to process your request.", "UPSTREAM_OVERLOADED"],
  ] as const)("reads status %i of %s: %s", async (status, type, message, reason) => {
    const headers = { "x-amzn-errortype": type, "x-amzn-requestid": "aws-request-2" };
    scripted.answer({ ...wholeAnswer(JSON.stringify({ message }), headers), status });
    const { error } = await callOnce(bedrock());
    expect([error?.reason, error?.facts.upstreamStatus]).toEqual([ErrorReason[reason], status]);
    expect([error?.facts.upstreamCode, error?.facts.upstreamRequestId]).toEqual([type.split(":")[0], "aws-request-2"]);
  });

  it("reads the words of its server", async () => {
    const message = "You don't have access to the model with the specified model ID.";
    const headers = { "x-amzn-errortype": "AccessDeniedException" };
    scripted.answer({ ...wholeAnswer(JSON.stringify({ message }), headers), status: 403 });
    const { error } = await callOnce({
      ...bedrock(),
      profile: { name: "bedrock", isGuessed: false, ...findServerFacts("bedrock", "messages") },
    });
    expect(error?.reason).toBe(ErrorReason.MODEL_NOT_FOUND);
  });

  it("tells that a guardrail stepped in, whole and streamed", async () => {
    const action = { "amazon-bedrock-guardrailAction": "INTERVENED" };
    scripted.answer(wholeAnswer(WHOLE_TEXT.replace("{", '{"amazon-bedrock-guardrailAction":"INTERVENED",')));
    expect((await callOnce(bedrock())).finish).toBe(FinishReason.CONTENT_FILTER);
    const events = EVENTS.map((event, index) => (index === EVENTS.length - 1 ? { ...event, ...action } : event));
    scripted.answer({ headers: STREAM_TYPE, steps: [Buffer.concat(events.map(bedrockChunk))] });
    expect((await callOnce(bedrock(), { streamed: true })).finish).toBe(FinishReason.CONTENT_FILTER);
  });

  it("reads a failure inside a stream", async () => {
    const steps = [
      Buffer.concat([...EVENTS.slice(0, 3).map(bedrockChunk), bedrockException("throttlingException", "Too many.")]),
    ];
    scripted.answer({ headers: STREAM_TYPE, steps });
    const { text, error } = await callOnce(bedrock(), { streamed: true });
    expect([text, error?.reason, error?.message]).toEqual(["Hel", ErrorReason.RATE_LIMITED, "Too many."]);
  });

  it("counts no tokens", async () => {
    const cloud = openCloud(bedrock());
    expect(await cloud.count(MODEL)).toBeUndefined();
    await cloud.close();
  });

  it("tells a stream that ends too early", async () => {
    scripted.answer({ headers: STREAM_TYPE, steps: [bedrockChunk(EVENTS[0])] });
    const { error } = await callOnce(bedrock(), { streamed: true });
    expect(error?.reason).toBe(ErrorReason.STREAM_INTERRUPTED);
  });
});

/** Keys of a role, as STS and the metadata services tell them. */
const EXPIRATION = "2099-01-01T00:00:00Z";
const STS_ANSWER = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult>
    <Credentials>
      <SessionToken>role-session</SessionToken>
      <SecretAccessKey>role-secret</SecretAccessKey>
      <Expiration>${EXPIRATION}</Expiration>
      <AccessKeyId>ASIAROLE</AccessKeyId>
    </Credentials>
  </AssumeRoleWithWebIdentityResult>
</AssumeRoleWithWebIdentityResponse>`;
const METADATA_KEYS = JSON.stringify({
  Code: "Success",
  AccessKeyId: "ASIAMETA",
  SecretAccessKey: "meta-secret",
  Token: "meta-session",
  Expiration: EXPIRATION,
});
const WITH_TOKEN = "content-type;host;x-amz-date;x-amz-security-token";

function answerBy(answers: Readonly<Record<string, string>>): void {
  scripted.answerBy((path) => {
    const text = answers[path];
    return text === undefined ? WHOLE : { headers: { "content-type": "text/plain" }, steps: [text] };
  });
}

describe("credentials of AWS", () => {
  it("come from the environment, and the region too", async () => {
    scripted.answer(WHOLE);
    const environment = {
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "ASIAENV",
      AWS_SECRET_ACCESS_KEY: "env-secret",
      AWS_SESSION_TOKEN: "env-session",
    };
    expect(await callOnce(bedrock({ type: "aws" }), { environment })).toEqual(HELLO);
    expect(signatures()).toEqual([["ASIAENV", "eu-west-1/bedrock", WITH_TOKEN]]);
    expect(scripted.received[0]?.headers["x-amz-security-token"]).toBe("env-session");
  });

  it("come from a role by the token of a workload", async () => {
    answerBy({ "/": STS_ANSWER });
    const tokenFile = join(temporaryFolder(), "token");
    writeFileSync(tokenFile, "workload-jwt\n");
    const roleArn = "arn:aws:iam::111122223333:role/attune";
    const environment = {
      AWS_ENDPOINT_URL_STS: scripted.url,
      AWS_ROLE_ARN: roleArn,
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
    };
    expect(await callOnce(bedrock({ type: "aws", region: "us-east-1" }), { environment })).toEqual(HELLO);
    expect(Object.fromEntries(new URLSearchParams(scripted.received[0]?.body))).toEqual({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: roleArn,
      RoleSessionName: "attune",
      WebIdentityToken: "workload-jwt",
    });
    expect(signatures()).toEqual([["ASIAROLE", "us-east-1/bedrock", WITH_TOKEN]]);
  });

  it("come from the metadata of a container", async () => {
    answerBy({ "/v1/credentials": METADATA_KEYS });
    const environment = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${scripted.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: "container-token",
    };
    expect(await callOnce(bedrock({ type: "aws", region: "us-east-1" }), { environment })).toEqual(HELLO);
    expect(scripted.received[0]?.headers.authorization).toBe("container-token");
    expect(signatures()).toEqual([["ASIAMETA", "us-east-1/bedrock", WITH_TOKEN]]);
  });

  it("come from the metadata of an instance, by a token of version 2", async () => {
    const roles = "/latest/meta-data/iam/security-credentials/";
    answerBy({ "/latest/api/token": "imds-token", [roles]: "attune-role", [`${roles}attune-role`]: METADATA_KEYS });
    const environment = { AWS_EC2_METADATA_SERVICE_ENDPOINT: scripted.url };
    expect(await callOnce(bedrock({ type: "aws", region: "us-east-1" }), { environment })).toEqual(HELLO);
    const tokens = scripted.received.map(({ headers }) => headers["x-aws-ec2-metadata-token"]);
    expect(tokens).toEqual([undefined, "imds-token", "imds-token", undefined]);
    expect(signatures()).toEqual([["ASIAMETA", "us-east-1/bedrock", WITH_TOKEN]]);
  });

  it.each([
    [{ type: "aws" }, {}, "the upstream's region is not known: set auth.region, or AWS_REGION"],
    [
      { type: "aws", region: "us-east-1" },
      { AWS_EC2_METADATA_DISABLED: "true" },
      "the upstream has no credentials of AWS (there are none): set auth.accessKeyId and auth.secretAccessKey, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or auth.roleArn and auth.tokenFile, or run where there is a role",
    ],
    [
      { type: "aws", region: "us-east-1" },
      { AWS_EC2_METADATA_SERVICE_ENDPOINT: "http://127.0.0.1:1" },
      "the upstream has no credentials of AWS (the instance metadata service cannot be reached (ECONNREFUSED)): set auth.accessKeyId and auth.secretAccessKey, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or auth.roleArn and auth.tokenFile, or run where there is a role",
    ],
  ] as const)("are missed by name: %j %j", async (auth, environment, message) => {
    const { error } = await callOnce(bedrock(auth), { environment });
    expect([error?.reason, error?.message]).toEqual([ErrorReason.UPSTREAM_MISCONFIGURED, message]);
  });

  it("are told of by STS's own code where it refuses", async () => {
    const refusal =
      "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>No</Message></Error></ErrorResponse>";
    scripted.answer({ status: 403, steps: [refusal] });
    const tokenFile = join(temporaryFolder(), "token");
    writeFileSync(tokenFile, "workload-jwt");
    const auth = { type: "aws", region: "us-east-1", roleArn: "arn:aws:iam::1:role/a", tokenFile } as const;
    const { error } = await callOnce(bedrock(auth), { environment: { AWS_ENDPOINT_URL_STS: scripted.url } });
    expect(error?.message).toBe(
      "AWS STS didn't return credentials (status 403, AccessDenied): check auth.roleArn, the token of auth.tokenFile, and whom the role trusts",
    );
  });
});

describe("askModels() of Amazon Bedrock", () => {
  it("signs a request without a prompt for each model", async () => {
    scripted.answerBy((path) => {
      const message = path.includes("claude")
        ? "max_tokens: Field required"
        : "The provided model identifier is invalid.";
      return { ...wholeAnswer(JSON.stringify({ message })), status: 400 };
    });
    const answer = await askModels(cloudUpstream(bedrock()), [MODEL, "nothing:0"], {});
    expect(answer).toEqual({ kind: "listed", unknown: ["nothing:0"], atMs: expect.any(Number) });
    expect(signatures()).toHaveLength(2);
  });

  it("tells a refusal", async () => {
    scripted.answer({ ...wholeAnswer('{"message":"The security token is invalid."}'), status: 403 });
    expect(await askModels(cloudUpstream(bedrock()), [MODEL], {})).toEqual({ kind: "refused", status: 403 });
  });
});
