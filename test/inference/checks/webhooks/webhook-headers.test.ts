import { describe, expect, it } from "vitest";
import { webhookHeaders } from "../../../../src/inference/checks/webhooks/webhook-headers.ts";

const signatureOf = (secret: string | undefined, message: { id: string; timestamp: number; body: string }) =>
  webhookHeaders({ headers: {}, secret }, message)["webhook-signature"];

describe("webhookHeaders()", () => {
  it("has those that are configured, and its own", () => {
    const webhook = { headers: { authorization: "Bearer x" }, secret: undefined };
    expect(webhookHeaders(webhook, { id: "1", timestamp: 1_700_000_000, body: "{}" })).toEqual({
      authorization: "Bearer x",
      accept: "application/json",
      "content-type": "application/json",
      "webhook-id": "1",
      "webhook-timestamp": "1700000000",
    });
  });

  it("signs as openssl does: printf '%s' 'msg_1.1700000000.{\"a\":\"ü\"}' | openssl dgst -sha256 -hmac sixteen-characters -binary | base64", () => {
    const message = { id: "msg_1", timestamp: 1_700_000_000, body: '{"a":"ü"}' };
    const expected = "v1,Txs5MeGqQ4392cy0X0MmRjnU13uGIOW4Wy7GCS94gA8=";
    expect(signatureOf("sixteen-characters", message)).toBe(expected);
    // The same key in base64.
    expect(signatureOf("whsec_c2l4dGVlbi1jaGFyYWN0ZXJz", message)).toBe(expected);
  });

  it("signs as the example of Standard Webhooks does", () => {
    const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
    expect(signatureOf("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", message)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });
});
