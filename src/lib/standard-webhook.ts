import { createHmac } from "node:crypto";

/** One message of a webhook, as https://www.standardwebhooks.com has them. */
export interface WebhookMessage {
  /** Stays the same when the message is sent again. */
  readonly id: string;
  /** Of this attempt, in seconds since 1970. */
  readonly timestamp: number;
  /** Body as it is sent. */
  readonly body: string;
}

/** Returns the headers of a message, with a signature where there is a secret. */
export function standardWebhookHeaders(
  { id, timestamp, body }: WebhookMessage,
  secret: string | undefined,
): Record<string, string> {
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    ...(secret !== undefined && { "webhook-signature": `v1,${sign(secret, `${id}.${timestamp}.${body}`)}` }),
  };
}

/** Signs with HMAC-SHA256: a secret that begins with `whsec_` is base64, any other one is its own bytes. */
function sign(secret: string, signed: string): string {
  const marked = /^whsec_(.+)$/.exec(secret)?.[1];
  const key = marked === undefined ? secret : Buffer.from(marked, "base64");
  return createHmac("sha256", key).update(signed).digest("base64");
}
