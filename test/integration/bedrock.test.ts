import { expect, it } from "vitest";
import { bedrockChunk } from "../support/aws-frame.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService } from "../support/service.ts";

const EVENTS = [
  {
    type: "message_start",
    message: { id: "msg_bdrk_01", type: "message", role: "assistant", model: "claude", content: [], usage: {} },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { input_tokens: 9, output_tokens: 1 } },
  { type: "message_stop" },
];

it("serves callers of another format from Amazon Bedrock, with a signed call", async () => {
  const scripted = await startScriptedUpstream();
  const headers = { "content-type": "application/vnd.amazon.eventstream", "x-amzn-requestid": "aws-request-1" };
  scripted.answer({ headers, steps: [Buffer.concat(EVENTS.map(bedrockChunk))] });
  const yaml = `
upstreams:
  bedrock:
    kind: anthropic-messages
    platform: bedrock
    baseUrl: "${scripted.url}"
    auth: { type: aws, region: us-east-1, accessKeyId: AKIDEXAMPLE, secretAccessKey: s3cret }
models:
  - name: claude
    family: messages
    contextWindow: 200000
    maxOutputTokens: 1000
    deployments: [{ upstream: bedrock, model: "anthropic.claude-v1:0" }]
`;
  const service = await startTestService({ yaml });
  try {
    const body = { model: "attune/claude", stream: true, messages: [{ role: "user", content: "Say hello" }] };
    const request = { method: "POST", headers: service.headers, body: JSON.stringify(body) };
    const response = await fetch(`${service.url}/v1/chat/completions`, request);
    expect([response.status, response.headers.get("attune-served-by")]).toEqual([200, "bedrock"]);
    expect(await response.text()).toMatch(/"content":"Hello".*"finish_reason":"stop".*data: \[DONE\]/s);
    const [call] = scripted.received;
    expect(call?.path).toBe("/model/anthropic.claude-v1%3A0/invoke-with-response-stream");
    expect(call?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/bedrock\//,
    );
  } finally {
    await service.close();
    await scripted.close();
  }
});
