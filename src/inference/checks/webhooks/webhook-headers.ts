import { createHmac } from "node:crypto";
import type { AnswerWebhook } from "../../../catalog/model.ts";

/** One call of a webhook. */
interface WebhookMessage {
  /** Of this call alone. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Body as it is sent. */
  readonly body: string;
}

/**
 * Returns the headers of a call: those that are configured, and the service's own, with a signature where there is a
 * secret.
 */
export function webhookHeaders(
  { headers, secret }: Pick<AnswerWebhook, "headers" | "secret">,
  { id, timestamp, body }: WebhookMessage,
): Record<string, string> {
  return {
    ...headers,
    accept: "application/json",
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    ...(secret !== undefined && { "webhook-signature": `v1,${sign(secret, `${id}.${timestamp}.${body}`)}` }),
  };
}

/** Signs as Standard Webhooks has it: a secret that begins with `whsec_` is base64, any other one is its own bytes. */
function sign(secret: string, signed: string): string {
  const marked = /^whsec_(.+)$/.exec(secret)?.[1];
  const key = marked === undefined ? secret : Buffer.from(marked, "base64");
  return createHmac("sha256", key).update(signed).digest("base64");
}
