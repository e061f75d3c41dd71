import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { importTensorzero } from "../../src/imports/tensorzero/import-tensorzero.ts";
import { load, useFolder } from "../config/harness.ts";

useFolder();

/** Sections of tensorzero.com/docs/gateway/configuration-reference. */
const EXAMPLE = `
[gateway]
observability.enabled = true

[models."gpt-4o"]
routing = ["azure", "openai"]
timeouts = { non_streaming.total_ms = 15000, streaming.total_ms = 60000 }

[models."gpt-4o".providers.openai]
type = "openai"
model_name = "gpt-4o"
cost = [
  { pointer = "/usage/prompt_tokens", cost_per_million = 2.50, required = true },
  { pointer = "/usage/completion_tokens", cost_per_million = 10.00, required = true },
]

[models."gpt-4o".providers.azure]
type = "azure"
deployment_id = "gpt4o"
endpoint = "https://eu.openai.azure.com"
api_key_location = "dynamic::azure_api_key"
cost = [
  { pointer = "/usage/prompt_tokens", cost_per_million = 2.50, required = true },
  { pointer = "/usage/completion_tokens", cost_per_million = 10.00, required = true },
  { pointer = "/usage/prompt_tokens_details/cached_tokens", cost_per_million = -1.25 },
]

[models.local]
routing = ["vllm"]
[models.local.providers.vllm]
type = "vllm"
model_name = "qwen"
api_base = "env::VLLM_BASE"
api_key_location = "none"
extra_body = [{ pointer = "/agi", value = true }]

[models.haiku]
routing = ["bedrock", "anthropic"]
[models.haiku.providers.bedrock]
type = "aws_bedrock"
model_id = "anthropic.claude-haiku"
region = "dynamic::region"
[models.haiku.providers.anthropic]
type = "anthropic"
model_name = "claude-haiku-5-5"
api_base = "https://proxy.example.com/v1/messages"

[models.canvas.providers.bedrock]
type = "aws_bedrock"
model_id = "amazon.nova-canvas-v1:0"
region = "us-east-1"

[models.sonnet.providers.vertex]
type = "gcp_vertex_anthropic"
model_id = "claude-sonnet@20250929"
location = "us-east5"
project_id = "shop"
credential_location = "path::/etc/account.json"

[models.codex.providers.openai]
type = "openai"
model_name = "codex"
api_type = "responses"

[models.phi.providers.tgi]
type = "tgi"
api_base = "https://tgi.example.com/v1/"

[embedding_models.small.providers.openai]
type = "openai"
model_name = "text-embedding-3-small"
cost = [{ pointer = "/usage/prompt_tokens", cost_per_million = 0.02 }]

[functions.extract]
type = "json"
output_schema = "schema.json"
[functions.extract.variants.a]
type = "chat_completion"
model = "gpt-4o"
weight = 0.9
[functions.extract.variants.b]
type = "chat_completion"
model = "mistral::tiny"

[metrics.correct]
type = "boolean"
level = "inference"
optimize = "max"
[metrics.minutes]
type = "float"
level = "episode"
optimize = "min"
`;

describe("a configuration of TensorZero", () => {
  it("becomes one that loads", () => {
    const { upstreams, models } = load(fillIn(importTensorzero(EXAMPLE).yaml), {
      VLLM_BASE: "http://127.0.0.1:8000/v1",
      AWS_REGION: "eu-west-1",
    });
    expect(upstreams).toMatchObject({
      azure: {
        kind: "openai-chat",
        baseUrl: "https://eu.openai.azure.com/openai/v1",
        timeouts: { totalMs: 60_000 },
        auth: { type: "header", name: "api-key" },
      },
      aws_bedrock: { platform: "bedrock", baseUrl: "https://bedrock-runtime.eu-west-1.amazonaws.com" },
      gcp_vertex_anthropic: { platform: "vertex", auth: { credentialsFile: "/etc/account.json" } },
      "openai-2": { kind: "openai-responses" },
      tgi: { baseUrl: "https://tgi.example.com/v1" },
      openai: { baseUrl: "https://api.openai.com/v1" },
      vllm: { baseUrl: "http://127.0.0.1:8000/v1", apiKey: undefined },
      anthropic: { kind: "anthropic-messages", baseUrl: "https://proxy.example.com" },
      mistral: { baseUrl: "https://api.mistral.ai/v1" },
    });
    expect(models.map(({ name, deployments }) => [name, deployments.map(({ model }) => model)])).toEqual([
      ["gpt-4o", ["gpt4o", "gpt-4o"]],
      ["local", ["qwen"]],
      ["haiku", ["anthropic.claude-haiku", "claude-haiku-5-5"]],
      ["sonnet", ["claude-sonnet@20250929"]],
      ["codex", ["codex"]],
      ["phi", ["tgi"]],
      ["tiny", ["tiny"]],
      ["small", ["text-embedding-3-small"]],
    ]);
    expect(models.at(-1)).toMatchObject({ embeddings: true, price: { input: 20_000, output: 0 } });
    const [first] = models[0]?.deployments ?? [];
    expect(first?.price).toMatchObject({ input: 2_500_000, output: 10_000_000, cacheRead: 1_250_000 });
  });

  it("says how functions and metrics are called, and names what it cannot have", () => {
    expect(importTensorzero(EXAMPLE).notes.map(({ path, text }) => `${path}: ${text}`)).toEqual([
      "models.gpt-4o.providers.azure.api_key_location: keys come from the environment: set AZURE_API_KEY",
      "models.haiku.providers.bedrock.region: requests cannot say it: set the variable AWS_REGION",
      "models.canvas.providers.bedrock: it is left out: Amazon Bedrock serves 'amazon.nova-canvas-v1:0' in a format of " +
        "its own: see docs/providers.md for the models that it serves in ours",
      "models.canvas: it is left out: none of its providers has a counterpart",
      "functions.extract: send its prompt with each request, and the header attune-workload: extract. Ask for one of " +
        "the models of its variants (gpt-4o, mistral::tiny): with feedback, learning finds which of all answers best",
      'metrics.correct: needs no setting: send it to POST /v1/feedback as { "correct": value } with "id" of the answer',
      'metrics.minutes: needs no setting: send it to POST /v1/feedback as { "minutes": value } with "session" in place ' +
        'of "id", and "optimize": "min"',
      "gateway: see docs/configuration.md for the server, its log and its metrics",
      "models.gpt-4o.timeouts.non_streaming: one limit counts for streams and whole answers: timeouts.totalMs",
      "models.local.providers.vllm.extra_body: has no counterpart",
      "functions.extract.output_schema: send it with each request",
      "functions.extract.variants.a.weight: learning finds how often each model answers",
    ]);
  });

  it.each([
    ['"env::OURS"', "OURS"],
    ['{ default = "dynamic::theirs", fallback = "env::OURS" }', "OURS"],
    ['"none"', undefined],
  ])("takes the key of a kind of providers from its defaults: %s", (place, key) => {
    const text = `
[provider_types.openai.defaults]
api_key_location = ${place}
[models.m.providers.p]
type = "openai"
model_name = "nobody"
[functions.f]
type = "chat"
[functions.f.variants.a]
type = "chat_completion"
model = "openai::other"`;
    const { yaml } = importTensorzero(text);
    expect(/apiKey: \$\{(.*)\}/.exec(yaml)?.[1]).toBe(key);
    expect(yaml).not.toContain("OPENAI_API_KEY");
  });

  it.each([
    ["models = 3", "models must be a map"],
    ["[metrics.a]", "it names no model that can be carried over"],
    ["[models", "line 1, column 2: Invalid TOML document"],
    [`a = ${"[".repeat(20_000)}`, "excessively nested structures. aborting."],
  ])("is not %j", (text, message) => {
    expect(() => importTensorzero(text)).toThrow(message);
  });
});

/** Its files have no windows: somebody fills them in. */
function fillIn(yaml: string): string {
  const document = parseDocument(yaml);
  for (const index of (document.toJS() as { readonly models: readonly unknown[] }).models.keys()) {
    for (const [member, tokens] of [
      ["contextWindow", 1000],
      ["maxOutputTokens", 100],
    ] as const) {
      if (!document.hasIn(["models", index, member])) document.setIn(["models", index, member], tokens);
    }
  }
  return document.toString();
}
