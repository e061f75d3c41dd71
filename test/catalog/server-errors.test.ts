import { describe, expect, it } from "vitest";
import { factsOf, SERVER_NAMES, type ServerName, serverOf } from "../../src/catalog/server-facts.ts";
import { decodeOpenAiErrorObject } from "../../src/formats/shared/decode-openai-error.ts";
import { reasonByWords } from "../../src/formats/shared/errors/error-words.ts";
import { ErrorReason } from "../../src/hub/error.ts";

const { CONTEXT_LENGTH_EXCEEDED, MODEL_NOT_FOUND, QUOTA_EXCEEDED, UPSTREAM_UNAUTHENTICATED } = ErrorReason;
const { CONTENT_FILTERED, INVALID_REQUEST, RATE_LIMITED, UPSTREAM_MISCONFIGURED, UPSTREAM_OVERLOADED } = ErrorReason;

const openai = (message: string, members: object = {}) => ({
  error: { message, type: "invalid_request_error", ...members },
});

/** What servers say, as it stands in their documentation, in reports or in what they sent, and what it means. */
const SAID: readonly (readonly [ServerName, ErrorReason, object])[] = [
  [
    "openai",
    UPSTREAM_UNAUTHENTICATED,
    openai("Your organization must be verified to use the model `gpt-5`. Please go to: ..."),
  ],
  [
    "openai",
    UPSTREAM_UNAUTHENTICATED,
    openai("Country, region, or territory not supported", { code: "unsupported_country_region_territory" }),
  ],
  ["openai", UPSTREAM_UNAUTHENTICATED, openai("The account has been deactivated.", { code: "account_deactivated" })],
  [
    "openai",
    UPSTREAM_MISCONFIGURED,
    openai("Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions.", {
      param: "reasoning_effort",
    }),
  ],
  ["anthropic", QUOTA_EXCEEDED, openai("Your credit balance is too low to access the Anthropic API.")],
  [
    "anthropic",
    QUOTA_EXCEEDED,
    openai("You have reached your specified API usage limits. You will regain access on 2026-12-01."),
  ],
  ["anthropic", UPSTREAM_UNAUTHENTICATED, openai("This organization has been disabled.")],
  [
    "azure",
    MODEL_NOT_FOUND,
    openai("The chatCompletion operation does not work with the specified model", { code: "OperationNotSupported" }),
  ],
  [
    "bedrock",
    UPSTREAM_UNAUTHENTICATED,
    { message: "Access to Anthropic models is not allowed from unsupported countries, regions, or territories." },
  ],
  ["bedrock", UPSTREAM_UNAUTHENTICATED, { message: "Operation not allowed" }],
  [
    "bedrock",
    UPSTREAM_UNAUTHENTICATED,
    { message: "Model use case details have not been submitted for this account." },
  ],
  [
    "bedrock",
    MODEL_NOT_FOUND,
    { message: "Invocation of model ID anthropic.claude with on-demand throughput isn't supported." },
  ],
  [
    "mistral",
    MODEL_NOT_FOUND,
    { object: "error", message: "Invalid model: mistral-large-9", type: "invalid_model", code: "1500" },
  ],
  ["deepseek", MODEL_NOT_FOUND, openai("Model Not Exist", { code: "invalid_request_error" })],
  ["deepseek", QUOTA_EXCEEDED, openai("Insufficient Balance", { code: "invalid_request_error" })],
  ["moonshot", QUOTA_EXCEEDED, openai("Your account is suspended", { type: "exceeded_current_quota_error" })],
  [
    "moonshot",
    CONTEXT_LENGTH_EXCEEDED,
    openai("Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)"),
  ],
  ["moonshot", MODEL_NOT_FOUND, openai("Not found the model kimi-9 or Permission denied")],
  [
    "xai",
    UPSTREAM_UNAUTHENTICATED,
    { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***Qz." },
  ],
  [
    "xai",
    QUOTA_EXCEEDED,
    {
      code: "Some resource has been exhausted",
      error: "Your team 12 has either used all available credits or reached its monthly spending limit.",
    },
  ],
  ["glm", UPSTREAM_UNAUTHENTICATED, openai("Authentication Failed", { code: "1000" })],
  ["glm", UPSTREAM_UNAUTHENTICATED, openai("Authentication token invalid", { code: "1002" })],
  ["glm", UPSTREAM_UNAUTHENTICATED, openai("Authentication token expired", { code: "1003" })],
  ["glm", UPSTREAM_UNAUTHENTICATED, openai("Account inactive", { code: "1110" })],
  ["glm", UPSTREAM_UNAUTHENTICATED, openai("Account locked", { code: "1112" })],
  ["glm", QUOTA_EXCEEDED, openai("Account in arrears", { code: "1113" })],
  ["glm", MODEL_NOT_FOUND, openai("Unknown Model", { code: "1211" })],
  ["glm", MODEL_NOT_FOUND, openai("API offline", { code: "1221" })],
  ["glm", CONTEXT_LENGTH_EXCEEDED, openai("Prompt exceeds max length", { code: "1261" })],
  ["glm", CONTENT_FILTERED, openai("Unsafe or sensitive content", { code: "1301" })],
  ["glm", RATE_LIMITED, openai("High concurrency", { code: "1302" })],
  ["glm", RATE_LIMITED, openai("High frequency", { code: "1303" })],
  ["glm", RATE_LIMITED, openai("Rate limit", { code: "1305" })],
  ["glm", QUOTA_EXCEEDED, openai("Usage limit reached for 5 hour.", { code: "1308" })],
  ["glm", QUOTA_EXCEEDED, openai("Your plan has expired", { code: "1309" })],
  ["groq", MODEL_NOT_FOUND, openai("The model has been decommissioned", { code: "model_decommissioned" })],
  [
    "groq",
    UPSTREAM_UNAUTHENTICATED,
    openai("The model `x` requires terms acceptance.", { code: "model_terms_required" }),
  ],
  ["groq", UPSTREAM_UNAUTHENTICATED, openai("Organization has been restricted.", { code: "organization_restricted" })],
  [
    "together",
    CONTEXT_LENGTH_EXCEEDED,
    openai("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097."),
  ],
  ["together", UPSTREAM_UNAUTHENTICATED, openai("Invalid API key provided. You can find your API key at ...")],
  [
    "fireworks",
    QUOTA_EXCEEDED,
    openai("Account acme is suspended, possibly due to reaching the monthly spending limit"),
  ],
  ["openrouter", MODEL_NOT_FOUND, { error: { message: "deepseek/deepseek-v9 is not a valid model ID", code: 400 } }],
  ["openrouter", MODEL_NOT_FOUND, { error: { message: "No endpoints found for deepseek/deepseek-v9.", code: 404 } }],
  ["openrouter", QUOTA_EXCEEDED, { error: { message: "Key limit exceeded (monthly limit).", code: 403 } }],
  ["gemini", UPSTREAM_UNAUTHENTICATED, { error: { message: "No.", details: [{ reason: "API_KEY_INVALID" }] } }],
  [
    "gemini",
    UPSTREAM_UNAUTHENTICATED,
    { error: { message: "Requests are blocked.", details: [{ reason: "API_KEY_SERVICE_BLOCKED" }] } },
  ],
  ["gemini", UPSTREAM_UNAUTHENTICATED, { error: { message: "API key expired. Please renew the API key." } }],
  [
    "gemini",
    UPSTREAM_UNAUTHENTICATED,
    { error: { message: "User location is not supported for the API use.", status: "FAILED_PRECONDITION" } },
  ],
  [
    "gemini",
    QUOTA_EXCEEDED,
    { error: { message: "Gemini API free tier is not available in your country. Please enable billing." } },
  ],
  [
    "llama.cpp",
    INVALID_REQUEST,
    { error: { code: 500, message: "image input is not supported - hint: ...", type: "server_error" } },
  ],
  [
    "llama.cpp",
    CONTEXT_LENGTH_EXCEEDED,
    { error: { code: 500, message: "input (700 tokens) is too large to process. increase the physical batch size" } },
  ],
  ["ollama", INVALID_REQUEST, { error: { code: 500, message: "this model is missing data required for image input" } }],
  ["lm-studio", CONTEXT_LENGTH_EXCEEDED, { error: "Trying to keep the first 8000 tokens when context the overflows." }],
  ["lm-studio", MODEL_NOT_FOUND, openai("No models loaded. Please load a model in the developer page.")],
  ["litellm", MODEL_NOT_FOUND, openai("/chat/completions: Invalid model name passed in model=x.", { code: "400" })],
  ["litellm", CONTEXT_LENGTH_EXCEEDED, openai("litellm.ContextWindowExceededError: too much", { code: "400" })],
  ["litellm", QUOTA_EXCEEDED, openai("Budget has been exceeded! Current cost: 1.2, Max budget: 1.0", { code: "400" })],
  ["minimax", RATE_LIMITED, { base_resp: { status_code: 1002, status_msg: "rate limit" } }],
  ["minimax", UPSTREAM_UNAUTHENTICATED, { base_resp: { status_code: 1004, status_msg: "login fail" } }],
  ["minimax", QUOTA_EXCEEDED, { base_resp: { status_code: 1008, status_msg: "out of balance" } }],
  ["minimax", CONTENT_FILTERED, { base_resp: { status_code: 1026, status_msg: "input new_sensitive" } }],
  ["minimax", CONTENT_FILTERED, { base_resp: { status_code: 1027, status_msg: "output new_sensitive" } }],
  ["minimax", CONTEXT_LENGTH_EXCEEDED, { base_resp: { status_code: 1039, status_msg: "token limit" } }],
  ["minimax", UPSTREAM_UNAUTHENTICATED, { base_resp: { status_code: 2049, status_msg: "bad key" } }],
  [
    "dashscope",
    CONTEXT_LENGTH_EXCEEDED,
    openai("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]"),
  ],
  ["dashscope", RATE_LIMITED, { code: "Throttling", message: "m", request_id: "q" }],
  ["dashscope", RATE_LIMITED, { code: "Throttling.RateQuota", message: "m", request_id: "q" }],
  ["dashscope", RATE_LIMITED, { code: "Throttling.BurstRate", message: "m", request_id: "q" }],
  ["dashscope", RATE_LIMITED, openai("m", { code: "limit_requests" })],
  ["dashscope", QUOTA_EXCEEDED, { code: "Throttling.AllocationQuota", message: "m", request_id: "q" }],
  [
    "dashscope",
    QUOTA_EXCEEDED,
    openai("Access denied, please make sure your account is in good standing.", { code: "Arrearage" }),
  ],
  ["dashscope", QUOTA_EXCEEDED, openai("The free tier has been exhausted.", { code: "AllocationQuota.FreeTierOnly" })],
  [
    "dashscope",
    UPSTREAM_UNAUTHENTICATED,
    { code: "InvalidApiKey", message: "Invalid API-key provided.", request_id: "q" },
  ],
  ["dashscope", UPSTREAM_UNAUTHENTICATED, { code: "AccessDenied.Unpurchased", message: "m", request_id: "q" }],
  ["dashscope", MODEL_NOT_FOUND, { code: "ModelNotFound", message: "m", request_id: "q" }],
  ["dashscope", MODEL_NOT_FOUND, { code: "Model.AccessDenied", message: "m", request_id: "q" }],
  ["dashscope", CONTENT_FILTERED, { code: "DataInspectionFailed", message: "m", request_id: "q" }],
  ["dashscope", CONTENT_FILTERED, openai("m", { code: "data_inspection_failed" })],
  ["copilot", CONTEXT_LENGTH_EXCEEDED, openai("m", { code: "model_max_prompt_tokens_exceeded" })],
  ["copilot", CONTEXT_LENGTH_EXCEEDED, openai("prompt token count of 135000 exceeds the limit of 128000")],
  ["copilot", MODEL_NOT_FOUND, openai("m", { code: "model_not_supported" })],
  ["portkey", UPSTREAM_OVERLOADED, { status: "failure", message: "No healthy targets found" }],
  ["unknown", MODEL_NOT_FOUND, openai("The model `x` does not exist")],
  ["unknown", MODEL_NOT_FOUND, { detail: "Unknown model x" }],
  ["unknown", MODEL_NOT_FOUND, openai("The requested model is not supported.")],
  ["unknown", QUOTA_EXCEEDED, openai("Insufficient credits: top up")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("Invalid API key.")],
  ["unknown", CONTEXT_LENGTH_EXCEEDED, openai("Prompt exceeds max length")],
  ["unknown", UPSTREAM_MISCONFIGURED, { error: "Route not found: POST /v1/x" }],
];

/** The server's own words alone, so that one that is deleted is missed. */
const ownFacts = (name: ServerName) => ({ ...serverOf(name).facts, errorPlaces: factsOf(name, "chat").errorPlaces });

const statusOf = (body: object): number => (JSON.stringify(body).includes('"code":500') ? 500 : 400);

describe("the errors of servers", () => {
  it.each(SAID)("%s means %i by %j", (name, reason, body) => {
    const error = decodeOpenAiErrorObject({ ...body }, ownFacts(name), statusOf(body));
    expect(error.reason).toBe(reason);
    if (reason === UPSTREAM_UNAUTHENTICATED)
      expect(error.message).toBe("the upstream refused this service's own credentials");
  });

  it.each(SERVER_NAMES)("%s has no word that nothing is said in", (name) => {
    const { errors = [] } = { errors: [], ...serverOf(name).facts };
    for (const word of errors) {
      const others = errors.filter((other) => other !== word);
      const said = SAID.filter(([server]) => server === name);
      const isMissed = said.some(([, reason, body]) => {
        const facts = { ...ownFacts(name), errors: others };
        return decodeOpenAiErrorObject({ ...body }, facts, statusOf(body)).reason !== reason;
      });
      expect([word, isMissed]).toEqual([word, true]);
    }
  });

  it("mean the same at a server that nothing is known of, which may repeat another one", () => {
    const { errors, errorPlaces } = factsOf("unknown", "chat");
    for (const [, reason, body] of SAID) {
      expect([body, decodeOpenAiErrorObject({ ...body }, { errors, errorPlaces }, statusOf(body)).reason]).toEqual([
        body,
        reason,
      ]);
    }
  });

  it("are not believed where a message repeats a caller's words", () => {
    const { errors } = factsOf("unknown", "chat");
    const message = "Invalid value for 'messages[0].content': 'API key not valid. Please pass a valid API key.'";
    expect(reasonByWords({ codes: ["invalid_request_error"], message }, errors)).toBeUndefined();
  });
});
