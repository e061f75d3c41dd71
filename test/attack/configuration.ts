/** Models that the sandbox serves, and one for each kind of upstream. Messages callers may use them all. */
export const SANDBOX_MODEL = "attune/sand";
export const UPSTREAM_MODELS = ["attune/up-chat", "attune/up-responses", "attune/up-messages"] as const;

/** Models of the sandbox whose answers a webhook of their own checks. */
export const HOOKED_MODELS = Array.from({ length: 8 }, (_none, at) => `attune/hooked-${at}`);
export const WEBHOOK_DEADLINE_MS = 1500;

/** Metrics are on the attacked port with it: they are the largest answer that costs no call. */
export const METRICS_TOKEN = "a-token-of-metrics-that-is-attacked";

/** Upstreams of a test are given up on soon, so that one that says nothing costs little time. */
export const UPSTREAM_TIMEOUTS = { connectMs: 1000, firstByteMs: 2000, idleMs: 1500, totalMs: 6000 };

/** Writes an attune.yaml in which one server plays all upstreams. */
export function configuration(upstreamUrl: string, keys: readonly string[]): string {
  const [chat, responses, messages, webhook] = keys;
  const timeouts = `timeouts: ${JSON.stringify(UPSTREAM_TIMEOUTS)}`;
  const model = (name: string, upstream: string, more = ""): string => `
  - name: ${name}
    family: messages
    purpose: attacks
    contextWindow: 200000
    maxOutputTokens: 4096
    minCacheableTokens: 1024
    price: { input: 3, output: 15 }
    optimizations: { checkedRetry: on }
    deployments: [ { upstream: ${upstream}, model: real-${name} } ]${more}`;
  const hooked = HOOKED_MODELS.map((id) => {
    const name = id.replace("attune/", "");
    const hook = `{ url: "${upstreamUrl}/${name}", secret: "${webhook}", deadlineMs: ${WEBHOOK_DEADLINE_MS}, sendPrompt: true }`;
    return model(name, "sandbox", `\n    candidates: { max: 3 }\n    checks: [ { webhook: ${hook} } ]`);
  });
  return `
server: { metricsToken: "${METRICS_TOKEN}" }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${upstreamUrl}/v1", apiKey: "${chat}", ${timeouts} }
  responses: { kind: openai-responses, baseUrl: "${upstreamUrl}/v1", apiKey: "${responses}", ${timeouts} }
  messages: { kind: anthropic-messages, baseUrl: "${upstreamUrl}", apiKey: "${messages}", ${timeouts} }
models:${model("sand", "sandbox")}${model("up-chat", "chat")}${model("up-responses", "responses")}${model("up-messages", "messages")}${hooked.join("")}
`;
}
