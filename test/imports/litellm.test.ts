import { describe, expect, it } from "vitest";
import { UNKNOWN_TOKENS } from "../../src/catalog/model.ts";
import { ImportError } from "../../src/imports/import-error.ts";
import { importLitellm } from "../../src/imports/litellm/import-litellm.ts";
import { load, useFolder } from "../config/harness.ts";

useFolder();

/** The example of docs.litellm.ai/docs/proxy/configs, with what windows and prices a `model_info` can say. */
const EXAMPLE = `
model_list:
  - model_name: gpt-4o
    litellm_params:
      model: azure/gpt-4o-eu
      api_base: https://my-endpoint-europe.openai.azure.com/
      api_key: os.environ/AZURE_API_KEY_EU
      rpm: 6
    model_info: { base_model: azure/gpt-4o }
  - model_name: bedrock-claude-v1
    litellm_params: { model: bedrock/amazon.titan-embed-text-v2:0, aws_region_name: us-east-1 }
  - model_name: gpt-4o
    litellm_params:
      model: azure/gpt-4o-ca
      api_base: os.environ/AZURE_API_BASE
      api_key: os.environ/AZURE_API_KEY_CA
      api_version: "2023-05-15"
  - model_name: vllm-models
    litellm_params: { model: openai/facebook/opt-125m, api_base: "http://127.0.0.1:4000/v1", api_key: none }
    model_info:
      max_input_tokens: 2048
      max_output_tokens: 512
      input_cost_per_token: 0.00000015
      output_cost_per_token: 6e-7
      version: 2
  - model_name: claude
    litellm_params: { model: claude-sonnet-5-5, api_key: sk-ant-secret, timeout: 20 }
  - model_name: embedding
    litellm_params: { model: text-embedding-ada-002 }
    model_info: { mode: embedding, max_input_tokens: 8191, input_cost_per_token: 1e-7 }
  - model_name: "*"
    litellm_params: { model: "*" }
litellm_settings:
  drop_params: True
  request_timeout: 10
  max_budget: 100
  budget_duration: 30d
  max_end_user_budget: 0.5
  fallbacks: [{ "gpt-4o": ["claude"] }]
  default_key_generate_params: { rpm_limit: 60, max_parallel_requests: 4, tpm_limit: 1000 }
general_settings: { master_key: sk-1234, global_max_parallel_requests: 50 }
router_settings: { model_group_alias: { gpt-4: gpt-4o, gpt-9: gone }, routing_strategy: simple-shuffle }
`;

const MAP = {
  "azure/gpt-4o": {
    max_input_tokens: 128_000,
    max_output_tokens: 16_384,
    input_cost_per_token: 0.0000025,
    output_cost_per_token: 0.00001,
    cache_read_input_token_cost: 0.00000125,
    mode: "chat",
  },
  "text-embedding-ada-002": {
    max_tokens: 8191,
    output_vector_size: 1536,
    input_cost_per_token: 0.0000001,
    output_cost_per_token: 0,
    mode: "embedding",
  },
};

const ENVIRONMENT = {
  AZURE_API_KEY_EU: "eu",
  AZURE_API_KEY_CA: "ca",
  AZURE_API_BASE: "https://canada.openai.azure.com",
  ANTHROPIC_API_KEY: "sk-a",
};

describe("a configuration of LiteLLM", () => {
  it("becomes one that loads", () => {
    const { upstreams, models } = loadImported(EXAMPLE);
    expect(upstreams).toMatchObject({
      azure: {
        kind: "openai-chat",
        baseUrl: "https://my-endpoint-europe.openai.azure.com/openai/v1",
        apiKey: "eu",
        auth: { type: "header", name: "api-key" },
      },
      "azure-2": { baseUrl: "https://canada.openai.azure.com/openai/v1", apiKey: "ca", timeouts: { totalMs: 10_000 } },
      openai: { baseUrl: "http://127.0.0.1:4000/v1", apiKey: undefined },
      anthropic: { kind: "anthropic-messages", baseUrl: "https://api.anthropic.com", timeouts: { totalMs: 20_000 } },
    });
    expect(models.map(({ name, family, aliases }) => [name, family, aliases ?? []])).toEqual([
      ["gpt-4o", "chat", ["gpt-4"]],
      ["vllm-models", "chat", []],
      ["claude", "messages", []],
      ["embedding", "chat", []],
    ]);
    expect(models[0]).toMatchObject({
      contextWindow: 128_000,
      maxOutputTokens: 16_384,
      price: undefined,
      deployments: [
        {
          upstream: "azure",
          model: "gpt-4o-eu",
          price: { input: 2_500_000, output: 10_000_000, cacheRead: 1_250_000 },
        },
        { upstream: "azure-2", model: "gpt-4o-ca" },
      ],
    });
    expect(models[1]).toMatchObject({ contextWindow: 2048, price: { input: 150_000, output: 600_000 } });
    expect(models[2]).toMatchObject({ contextWindow: 1_000_000, price: { input: 2_000_000 } });
    expect(models[3]).toMatchObject({ embeddings: true, contextWindow: 8192, price: { input: 100_000, output: 0 } });
  });

  it("has the models that make embeddings, by the file or by the map", () => {
    const embedder = {
      embeddings: true,
      contextWindow: 8192,
      maxInputTokens: 8191,
      maxOutputTokens: 1,
      price: { input: 100_000, output: 0 },
    };
    expect(loadImported(EXAMPLE).models[3]).toMatchObject(embedder);
    const entry = "{ model_name: e, litellm_params: { model: text-embedding-ada-002, dimensions: 256 } }";
    const { yaml, notes } = importLitellm(`model_list: [${entry}]`, MAP);
    expect(load(yaml, ENVIRONMENT).models[0]).toMatchObject(embedder);
    expect(notes).toEqual([
      { path: "model_list[0].litellm_params.dimensions", text: "requests are not changed: send it with each request" },
    ]);
  });

  it.each([
    ["{ model: claude-x }", "this upstream makes no embeddings"],
    ["{ model: cohere/embed-v4 }", "there is no upstream for 'cohere'"],
  ])("names an embedding model that it cannot have: %s", (params, text) => {
    const entry = `{ model_name: e, litellm_params: ${params}, model_info: { mode: embedding } }`;
    expect(importLitellm(`model_list: [${entry}]`).notes).toContainEqual({
      path: "model_list[0]",
      text: `'e' is left out: ${text}`,
    });
  });

  it("names an entry that makes embeddings under the name of one that answers", () => {
    const entries = [
      "{ model_name: m, litellm_params: { model: gpt-4o } }",
      "{ model_name: m, litellm_params: { model: text-embedding-ada-002 }, model_info: { mode: embedding } }",
    ];
    const { notes } = importLitellm(`model_list: [${entries.join(", ")}]`, MAP);
    expect(notes).toContainEqual({ path: "model_list[1]", text: expect.stringContaining("either answers or makes") });
  });

  it("has its budgets and limits", () => {
    const { yaml } = importLitellm(EXAMPLE, MAP);
    expect(yaml).toContain(`quotas:
  installation:
    usdPerMonth: 100
    concurrentCalls: 50
  eachKey:
    requestsPerMinute: 60
    concurrentCalls: 4
  eachEndUser:
    usdTotal: 0.5
`);
  });

  it("names everything that it cannot have, and carries no secret", () => {
    const { yaml, notes } = importLitellm(EXAMPLE, MAP);
    expect(yaml).not.toContain("sk-");
    expect(notes.map(({ path, text }) => `${path}: ${text}`)).toEqual([
      "model_list[1]: 'bedrock-claude-v1' is left out: Amazon Bedrock serves 'amazon.titan-embed-text-v2:0' in a format " +
        "of its own: see docs/providers.md for the models that it serves in ours",
      "model_list[4].litellm_params.api_key: put this key into the variable ANTHROPIC_API_KEY",
      "model_list[6]: '*' is left out: each model has to be listed by its name",
      "router_settings.model_group_alias.gpt-9: there is no model 'gone' for this alias",
      "litellm_settings.budget_duration: it restarts with each day or month of the UTC calendar",
      expect.stringMatching(/^model_list\[0\]\.litellm_params\.rpm: deployments have no limits of their own/),
      expect.stringMatching(/^model_list\[2\]\.litellm_params\.api_version: /),
      "model_list[3].model_info.version: has no counterpart",
      expect.stringMatching(/^litellm_settings\.drop_params: /),
      expect.stringMatching(/^litellm_settings\.fallbacks: another model never answers on an error/),
      expect.stringMatching(/^litellm_settings\.default_key_generate_params\.tpm_limit: input and output tokens/),
      expect.stringMatching(/^router_settings\.routing_strategy: /),
      expect.stringMatching(/^general_settings\.master_key: make keys with/),
    ]);
  });

  it("says what to do instead, of settings that have a counterpart elsewhere", () => {
    const { yaml, notes } = importLitellm(`
model_list:
  - { model_name: e, litellm_params: { model: text-embedding-nobody }, model_info: { mode: embedding } }
general_settings: { store_model_in_db: true, enable_jwt_auth: true, alerting: [slack] }
litellm_settings: { callbacks: [otel], max_internal_user_budget: 10 }
router_settings: { enable_pre_call_checks: true }
`);
    expect(yaml).toContain("  # not known, and not checked until you add it: contextWindow\n");
    expect(notes.map(({ path, text }) => `${path}: ${text}`)).toEqual([
      expect.stringMatching(/^litellm_settings\.callbacks: .* docs\/telemetry\.md/),
      expect.stringMatching(/^litellm_settings\.max_internal_user_budget: .* see quotas/),
      expect.stringMatching(/^router_settings\.enable_pre_call_checks: needs no setting/),
      expect.stringMatching(/^general_settings\.store_model_in_db: .* GET \/model\/info of the proxy lists them/),
      expect.stringMatching(/^general_settings\.enable_jwt_auth: .* docs\/sign-in\.md/),
      expect.stringMatching(/^general_settings\.alerting: .* docs\/alerts\.md/),
    ]);
  });

  it("never sends a provider's own key to another host", () => {
    const { yaml, notes } = importLitellm(`
model_list:
  - { model_name: large, litellm_params: { model: openai/gpt-4o, api_key: os.environ/OPENAI_API_KEY } }
  - model_name: small
    litellm_params: { model: openai/fake, api_key: a-key, api_base: "https://llm.example.com/v1" }
`);
    expect(yaml).toContain(`baseUrl: https://llm.example.com/v1
    apiKey: \${LLM_EXAMPLE_COM_API_KEY}`);
    expect(notes.map(({ path, text }) => `${path}: ${text}`)).toContain(
      "model_list[1].litellm_params.api_key: put this key into the variable LLM_EXAMPLE_COM_API_KEY",
    );
  });

  it("has the models that clouds serve, with who calls", () => {
    const info = "model_info: { max_input_tokens: 1000, max_output_tokens: 100 }";
    const { upstreams, models } = load(
      importLitellm(`
model_list:
  - model_name: bedrock
    litellm_params:
      model: bedrock/us-west-2/anthropic.claude-v2
      aws_access_key_id: os.environ/KEY_ID
      aws_secret_access_key: os.environ/SECRET
    ${info}
  - { model_name: oss, litellm_params: { model: bedrock/openai.gpt-oss-20b-1:0 }, ${info} }
  - model_name: vertex
    litellm_params:
      model: vertex_ai/claude-opus@20251101
      vertex_project: shop
      vertex_location: us-east5
      vertex_credentials: /etc/account.json
    ${info}
  - { model_name: gemini, litellm_params: { model: gemini-pro, vertex_project: shop, vertex_location: global }, ${info} }
  - model_name: entra
    litellm_params: { model: azure/gpt, api_base: "https://x.openai.azure.com", tenant_id: t, client_id: c, client_secret: s }
    ${info}
`).yaml,
      { KEY_ID: "id", SECRET: "secret", AWS_REGION_NAME: "eu-west-1", AZURE_CLIENT_SECRET: "hidden" },
    );
    expect(upstreams).toMatchObject({
      bedrock: {
        kind: "anthropic-messages",
        platform: "bedrock",
        auth: { accessKeyId: "id", secretAccessKey: "secret" },
        baseUrl: "https://bedrock-runtime.us-west-2.amazonaws.com",
      },
      "bedrock-2": { baseUrl: "https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1", auth: { type: "aws" } },
      vertex_ai: {
        kind: "anthropic-messages",
        platform: "vertex",
        auth: { credentialsFile: "/etc/account.json" },
        baseUrl: "https://us-east5-aiplatform.googleapis.com/v1/projects/shop/locations/us-east5",
      },
      "vertex_ai-2": {
        kind: "openai-chat",
        baseUrl: "https://aiplatform.googleapis.com/v1/projects/shop/locations/global/endpoints/openapi",
      },
      azure: { auth: { type: "azure", tenantId: "t", clientId: "c", clientSecret: "hidden" }, apiKey: undefined },
    });
    expect(models.map(({ deployments: [first] }) => first?.model)).toEqual([
      ...["anthropic.claude-v2", "openai.gpt-oss-20b-1:0", "claude-opus@20251101", "google/gemini-pro", "gpt"],
    ]);
  });

  it("asks models of Bedrock by Converse where they write text and have no other format of ours", () => {
    const chat = "model_info: { mode: chat, max_input_tokens: 10, max_output_tokens: 5 }";
    const entry = (name: string, model: string) =>
      `  - { model_name: ${name}, litellm_params: { model: "${model}", aws_region_name: us-east-1 }, ${chat} }\n`;
    const profile = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc";
    const { yaml, notes } = importLitellm(
      `model_list:\n${[
        entry("nova", "bedrock/us.amazon.nova-lite-v1:0"),
        entry("llama", "bedrock/converse/meta.llama3-1-70b-instruct-v1:0"),
        entry("profile", `bedrock/converse/${profile}`),
        entry("embeds", "bedrock/cohere.embed-english-v3"),
        entry("paints", "bedrock/amazon.nova-canvas-v1:0"),
        entry("agent", "bedrock/agent/L1RT58GYRW/MFPSBCXYTW"),
      ].join("")}`,
    );
    const { upstreams, models } = load(yaml);
    expect(upstreams["bedrock"]).toMatchObject({
      kind: "bedrock-converse",
      baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com",
      auth: { type: "aws" },
    });
    expect(models.map(({ family, deployments: [first] }) => [family, first?.upstream, first?.model])).toEqual([
      ["chat", "bedrock", "us.amazon.nova-lite-v1:0"],
      ["chat", "bedrock", "meta.llama3-1-70b-instruct-v1:0"],
      ["chat", "bedrock", profile],
    ]);
    expect(notes.map(({ path }) => path)).toEqual(["model_list[3]", "model_list[4]", "model_list[5]"]);
  });

  it("has the credentials that entries name, and says of those that none names", () => {
    const { yaml, notes } = importLitellm(`
model_list: [{ model_name: m, litellm_params: { model: azure/m, litellm_credential_name: eu } }]
credential_list:
  - { credential_name: eu, credential_values: { api_key: os.environ/EU, api_base: "https://eu.openai.azure.com" } }
  - { credential_name: us, credential_values: { api_key: os.environ/US } }
`);
    expect(yaml).toMatch(/https:\/\/eu\.openai\.azure\.com\/openai\/v1\n {4}apiKey: \$\{EU\}/);
    expect(notes).toEqual([{ path: "credential_list", text: "no model of the file names it" }]);
  });

  it("has the Responses format where a model is asked in it", () => {
    const { yaml } = importLitellm("model_list: [{ model_name: m, litellm_params: { model: openai/responses/gpt } }]");
    expect(yaml).toContain("kind: openai-responses");
    expect(yaml).toMatch(/family: responses\n +deployments:\n +- upstream: openai\n +model: gpt\n/);
  });

  it("gives two keys that stand in the file two variables, and none that it names itself", () => {
    const entry = (model: string, key: string) =>
      `  - { model_name: ${model}, litellm_params: { model: ${model}, api_key: ${key} } }`;
    const keys = [entry("groq/a", "first"), entry("groq/b", "second"), entry("openai/c", "third")];
    const { notes } = importLitellm(
      `model_list:\n${keys.join("\n")}\n${entry("openai/d", "os.environ/OPENAI_API_KEY")}`,
    );
    expect(notes.map(({ text }) => text.split(" ").at(-1))).toEqual([
      ...["GROQ_API_KEY", "GROQ_API_KEY_2", "OPENAI_API_KEY_2"],
    ]);
  });

  it.each([
    ["novita/deepseek", "there is no upstream for 'novita'"],
    ["command-r", "'command-r' doesn't name its provider"],
    ["azure/", "it names no model"],
    ["dall-e-3", "models of the mode 'image_generation' are out of scope"],
    ["vertex_ai/mistral-large", /^Google Vertex AI serves 'mistral-large' in a format of its own/],
    ["claude-embeddings", "this upstream makes no embeddings"],
  ])("leaves out %s, with the reason", (model, reason) => {
    const { notes } = importLitellm(`model_list: [{ model_name: m, litellm_params: { model: "${model}" } }]`);
    const [, text] = /^'m' is left out: (.*)$/.exec(notes[0]?.text ?? "") ?? [];
    if (typeof reason === "string") expect(text).toBe(reason);
    else expect(text).toMatch(reason);
  });

  it("says where a window is not known", () => {
    const { yaml } = importLitellm("model_list: [{ model_name: m, litellm_params: { model: groq/llama } }]");
    expect(yaml).toContain("  # not known, and not checked until you add it: contextWindow, maxOutputTokens\n");
    expect(load(yaml).models[0]).toMatchObject({ contextWindow: UNKNOWN_TOKENS, maxOutputTokens: UNKNOWN_TOKENS });
  });

  it.each([
    [`\nmodel_list: ${"[".repeat(20_000)}`, "line 2 is nested too deeply"],
    [
      ["x", "a", "b", "c", "d"]
        .map((name, at, all) => `${name}: &${name} [${`*${all[at - 1]},`.repeat(at * 20)}1]`)
        .join("\n"),
      "it repeats too much by aliases: write it out",
    ],
  ])("says what is wrong with a file that exhausts its reader", (text, message) => {
    expect(() => importLitellm(text)).toThrow(new ImportError(message));
  });

  it("leaves out a header that none can have", () => {
    const entry = '{ model: groq/llama, extra_headers: { "a b": x, x-team: os.environ/TEAM } }';
    const { yaml, notes } = importLitellm(`model_list: [{ model_name: m, litellm_params: ${entry} }]`);
    expect(yaml).toContain(`    headers:\n      x-team: \${TEAM}\n`);
    expect(notes).toEqual([
      { path: "model_list[0].litellm_params.extra_headers.a b", text: "no header can have this name" },
    ]);
  });

  it("keeps as a text what is a reference only in Attune", () => {
    const entry = `{ model: groq/llama, extra_headers: { x-team: "a \${HOME}" } }`;
    const { yaml } = importLitellm(`model_list: [{ model_name: m, litellm_params: ${entry} }]`);
    expect(yaml).toContain(`    headers:\n      x-team: a $\${HOME}\n`);
  });

  it.each([
    ["", "model_list has no models: this isn't a configuration of LiteLLM's proxy"],
    ["- a", "the file must be a map"],
    ["model_list: 3", "model_list must be a list"],
    ["model_list: [3]", "model_list[0] must be a map"],
    ["model_list: [{ model_name: m }]", "model_list[0] must have model_name and litellm_params.model"],
    [
      "model_list: [{ model_name: m, litellm_params: { model: groq/x, timeout: soon } }]",
      "model_list[0].litellm_params.timeout must be a number, and is 'soon'",
    ],
  ])("is not %j", (text, message) => {
    expect(() => importLitellm(text)).toThrow(message);
  });
});

function loadImported(text: string) {
  return load(importLitellm(text, MAP).yaml, ENVIRONMENT);
}
