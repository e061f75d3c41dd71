import type { AnswerWebhook } from "../../../catalog/model.ts";
import { standardWebhookHeaders, type WebhookMessage } from "../../../lib/standard-webhook.ts";

/**
 * Returns the headers of a call: those that are configured, and the service's own, with a signature where there is a
 * secret.
 */
export function webhookHeaders(
  { headers, secret }: Pick<AnswerWebhook, "headers" | "secret">,
  message: WebhookMessage,
): Record<string, string> {
  return { ...headers, accept: "application/json", ...standardWebhookHeaders(message, secret) };
}
