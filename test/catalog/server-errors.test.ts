import { describe, expect, it } from "vitest";
import { findServer, findServerFacts, SERVER_NAMES, type ServerName } from "../../src/catalog/server-facts.ts";
import { decodeOpenAiErrorObject } from "../../src/formats/shared/decode-openai-error.ts";
import { reasonByWords } from "../../src/formats/shared/errors/error-words.ts";
import { ErrorReason } from "../../src/hub/error.ts";

const { CONTEXT_LENGTH_EXCEEDED, MODEL_NOT_FOUND, QUOTA_EXCEEDED, UPSTREAM_UNAUTHENTICATED } = ErrorReason;
const {
  CONTENT_FILTERED,
  INVALID_REQUEST,
  REQUEST_TOO_LARGE,
  UPSTREAM_ERROR,
  RATE_LIMITED,
  UPSTREAM_MISCONFIGURED,
  UPSTREAM_OVERLOADED,
} = ErrorReason;

const openai = (message: string, members: object = {}) => ({
  error: { message, type: "invalid_request_error", ...members },
});

/** What servers say, as it stands in their documentation, in reports or in what they sent, and what it means. */
const SAID: readonly (readonly [ServerName, ErrorReason, object, status?: number])[] = [
  [
    "tensorzero",
    UPSTREAM_MISCONFIGURED,
    {
      error: {
        message:
          'Object storage is not configured. You must configure `[object_storage]` before making requests containing a `file` content block. If you don\'t want to use object storage, you can explicitly set `object_storage.type = "disabled"` in your configuration.',
      },
    },
    500,
  ],
  ["openvino", MODEL_NOT_FOUND, { error: "Mediapipe graph definition with requested name is not found" }, 404],
  [
    "bifrost",
    MODEL_NOT_FOUND,
    { is_bifrost_error: false, status_code: 400, error: { message: "no keys found that support model: absent" } },
  ],
  ["mlx-lm", INVALID_REQUEST, { error: "Only 'text' content type is supported." }, 404],
  [
    "mlx-lm",
    MODEL_NOT_FOUND,
    {
      error:
        "Cannot find an appropriate cached snapshot folder for the specified revision on the local disk and outgoing traffic has been disabled. To enable repo look-ups and downloads online, set 'HF_HUB_OFFLINE=0' as environment variable.",
    },
  ],
  [
    "mlx-lm",
    MODEL_NOT_FOUND,
    {
      error:
        "401 Client Error. (Request ID: Root=1-6)\n\nRepository Not Found for url: https://huggingface.co/api/models/absent/revision/main.",
    },
  ],
  ["transformers", MODEL_NOT_FOUND, { detail: "Server is pinned to '/models/tiny'; requested 'absent'." }],
  ["openrouter", INVALID_REQUEST, openai("No endpoints found that support image input", { code: 404 })],
  ["openrouter", INVALID_REQUEST, openai("No endpoints found that support tool use.", { code: 404 })],
  [
    "openrouter",
    INVALID_REQUEST,
    openai("No endpoints found that support the requested output modalities: image, text", { code: 404 }),
  ],
  [
    "openrouter",
    INVALID_REQUEST,
    openai("No endpoints found that can handle the requested parameters.", { code: 404 }),
  ],
  ["ollama", INVALID_REQUEST, openai("registry.ollama.ai/library/phi:latest does not support tools", { code: 500 })],
  [
    "moonshot",
    UPSTREAM_OVERLOADED,
    openai("The engine is currently overloaded", { type: "engine_overloaded_error", code: "engine_overloaded_error" }),
  ],
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
  ["openai", UPSTREAM_UNAUTHENTICATED, openai("No such organization: org-123.", { code: "invalid_organization" })],
  ["openai", UPSTREAM_UNAUTHENTICATED, openai("The organization does not match.", { code: "mismatched_organization" })],
  ["openai", UPSTREAM_UNAUTHENTICATED, openai("The project does not match the key.", { code: "mismatched_project" })],
  ["azure", UPSTREAM_ERROR, openai("The resource is being moved.", { code: "InvalidResourceState" })],
  ["dashscope", UPSTREAM_UNAUTHENTICATED, openai("Workspace access denied.", { code: "Workspace.AccessDenied" })],
  ["glm", UPSTREAM_UNAUTHENTICATED, { error: { code: "1121", message: "您的账户已被锁定" } }],
  ["gemini", QUOTA_EXCEEDED, openai("Billing account for project 123 is not found.")],
  ...[
    "API_KEY_HTTP_REFERRER_BLOCKED",
    "API_KEY_IP_ADDRESS_BLOCKED",
    "API_KEY_IOS_APP_BLOCKED",
    "ACCESS_TOKEN_EXPIRED",
    "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
    "ACCOUNT_STATE_INVALID",
    "CONSUMER_INVALID",
    "USER_PROJECT_DENIED",
  ].map(
    (reason) =>
      [
        "gemini",
        UPSTREAM_UNAUTHENTICATED,
        { error: { code: 400, message: "Denied.", details: [{ reason }] } },
      ] as const,
  ),
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("No such organization: org-123.")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("Project 'proj_abc' is archived and cannot be used.")],
  ["unknown", QUOTA_EXCEEDED, openai("AI Gateway requires a valid credit card on file to service requests.")],
  ["unknown", MODEL_NOT_FOUND, openai("Your account does not have access to claude-mythos. Please contact sales.")],
  ["unknown", MODEL_NOT_FOUND, openai("Access to this model is not available for channel program accounts.")],
  [
    "cloudflare",
    UPSTREAM_UNAUTHENTICATED,
    { success: false, errors: [{ code: 6003, message: "Invalid request headers" }] },
  ],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("bad request: Authorization header is badly formatted")],
  ["nvidia", UPSTREAM_OVERLOADED, { status: 400, detail: "Function id '1c2': DEGRADED function cannot be invoked" }],
  ["nvidia", UPSTREAM_OVERLOADED, { status: 400, detail: 'Function id "1c2" submitted for inference is DEGRADED' }],
  ["nvidia", UPSTREAM_OVERLOADED, { status: 400, detail: "DEGRADED function id=1c2 cannot be invoked" }],
  ["unknown", MODEL_NOT_FOUND, { status: 410, detail: "The model 'x' has reached its end of life on 2026-05-15." }],
  [
    "xai",
    UPSTREAM_UNAUTHENTICATED,
    openai("litellm.BadRequestError: XaiException - Incorrect API key provided: xa***Qz.", { code: "400" }),
  ],
  ["litellm", QUOTA_EXCEEDED, openai("ExceededTokenBudget: Current spend for token: 1.2; Max Budget for Token: 1.0")],
  ["deepseek", MODEL_NOT_FOUND, openai("litellm.BadRequestError: DeepseekException - Model Not Exist")],
  ["xai", UPSTREAM_UNAUTHENTICATED, openai("openai error: Incorrect API key provided: sk-a****bc.")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, { status: "failure", message: "Portkey Error: Portkey API Key is invalid." }],
  [
    "gemini",
    UPSTREAM_UNAUTHENTICATED,
    {
      error: {
        code: 400,
        message: "Requests from this Android client application <empty> are blocked.",
        details: [{ reason: "API_KEY_ANDROID_APP_BLOCKED" }],
      },
    },
  ],
  [
    "gemini",
    UPSTREAM_UNAUTHENTICATED,
    openai("Vertex AI API has not been used in project 123 before or it is disabled."),
  ],
  ["unknown", MODEL_NOT_FOUND, openai("Publisher Model `projects/p/models/g` is not servable in region us-central1.")],
  [
    "azure",
    UPSTREAM_MISCONFIGURED,
    openai("The requested API version is not supported", { code: "UnsupportedApiVersion" }),
  ],
  ["bedrock", UPSTREAM_UNAUTHENTICATED, { message: "Bearer Token has expired" }],
  [
    "groq",
    UPSTREAM_ERROR,
    openai("Failed to call a function. Please adjust your prompt.", { code: "tool_use_failed" }),
  ],
  ["groq", UPSTREAM_ERROR, openai("Failed to generate JSON. Please adjust.", { code: "json_validate_failed" })],
  ["llama.cpp", UPSTREAM_MISCONFIGURED, openai("tools param requires --jinja flag")],
  [
    "vllm",
    UPSTREAM_MISCONFIGURED,
    openai('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
  ],
  [
    "cloudflare",
    UPSTREAM_OVERLOADED,
    { errors: [{ code: 3040, message: "No more data centers to forward the request to" }] },
    429,
  ],
  ["bedrock", UPSTREAM_UNAUTHENTICATED, { type: "IncompleteSignature", message: "It doesn't conform to standards." }],
  ["bedrock", UPSTREAM_UNAUTHENTICATED, { type: "RequestExpired", message: "The date is in the future." }],
  ["gemini", REQUEST_TOO_LARGE, openai("Request payload size exceeds the limit: 20971520 bytes.")],
  [
    "gemini",
    RATE_LIMITED,
    {
      error: {
        code: 429,
        message:
          "You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: generate_content_free_tier_requests, limit: 20\nPlease retry in 58.5s.",
        status: "RESOURCE_EXHAUSTED",
      },
    },
    429,
  ],
  [
    "gemini",
    QUOTA_EXCEEDED,
    openai("Your project has exceeded its monthly spending cap. Please go to AI Studio at https://ai.studio/spend"),
    429,
  ],
  [
    "gemini",
    CONTEXT_LENGTH_EXCEEDED,
    openai("Unable to submit request because the input token count is 40000 but model only supports up to 32768."),
  ],
  ["unknown", QUOTA_EXCEEDED, { detail: "Inactive subscription or usage limit reached" }],
  ["unknown", MODEL_NOT_FOUND, { error: { code: "1220", message: "您无权访问此模型" } }],
  ["unknown", QUOTA_EXCEEDED, openai("该令牌额度已用尽 TokenStatusExhausted[sk-abc***xyz] (request id: 2026)")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("无效的令牌 (request id: 2026)")],
  ["unknown", QUOTA_EXCEEDED, openai("Your subscription has expired. Please renew to continue.")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("API key is missing or malformed")],
  ["unknown", MODEL_NOT_FOUND, openai("The long context beta is not yet available for this subscription.")],
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
  ["openai", UPSTREAM_UNAUTHENTICATED, openai("You must be a member of an organization to use the API.")],
  ["openai", UPSTREAM_UNAUTHENTICATED, openai("IP not authorized.", { code: "ip_not_authorized" })],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("Your access was terminated due to violation of our policies")],
  [
    "anthropic",
    QUOTA_EXCEEDED,
    openai("You're out of extra usage. Add more at claude.ai/settings/usage and keep going."),
  ],
  ["anthropic", QUOTA_EXCEEDED, openai("Third-party apps now draw from your extra usage, not your plan limits.")],
  [
    "anthropic",
    UPSTREAM_UNAUTHENTICATED,
    openai("This credential is only authorized for use with Claude Code and cannot be used for other API requests."),
  ],
  ["azure", UPSTREAM_UNAUTHENTICATED, openai("Token tenant 1-2 does not match resource tenant.")],
  ["bedrock", UPSTREAM_UNAUTHENTICATED, { message: "The security token included in the request is invalid." }],
  ["bedrock", UPSTREAM_UNAUTHENTICATED, { message: "Signature expired: 20261129T000000Z is now earlier than" }],
  ["bedrock", MODEL_NOT_FOUND, { message: "You don't have access to the model with the specified model ID." }],
  ["bedrock", QUOTA_EXCEEDED, { message: "INVALID_PAYMENT_INSTRUMENT: A valid payment instrument must be provided." }],
  ["gemini", UPSTREAM_UNAUTHENTICATED, openai("Please pass a valid API key")],
  ["gemini", UPSTREAM_UNAUTHENTICATED, openai("Suspended.", { details: [{ reason: "CONSUMER_SUSPENDED" }] })],
  ["gemini", QUOTA_EXCEEDED, openai("This API method requires billing to be enabled. Please enable billing")],
  [
    "deepseek",
    UPSTREAM_UNAUTHENTICATED,
    openai("Authentication Fails (no such user)", { type: "authentication_error" }),
  ],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("Authentication Fails, Your api key: ****cdef is invalid")],
  ["groq", UPSTREAM_UNAUTHENTICATED, openai("Your API key has expired", { code: "expired_api_key" })],
  ["groq", QUOTA_EXCEEDED, openai("Organization reached its limit", { code: "blocked_api_access" })],
  ["groq", MODEL_NOT_FOUND, openai("Blocked at the project level.", { code: "model_permission_blocked_project" })],
  ["together", QUOTA_EXCEEDED, openai("Credit limit exceeded, please navigate to https://api.together.xyz/settings")],
  ["fireworks", UPSTREAM_UNAUTHENTICATED, openai("The API key you provided is invalid.", { code: "UNAUTHORIZED" })],
  ["cerebras", UPSTREAM_UNAUTHENTICATED, { message: "Wrong API Key", param: "api_key", code: "wrong_api_key" }],
  ["databricks", UPSTREAM_UNAUTHENTICATED, { error_code: "BAD_REQUEST", message: "Invalid Token" }],
  ["cohere", UPSTREAM_UNAUTHENTICATED, { message: "invalid api token" }],
  ["cohere", MODEL_NOT_FOUND, { message: "model 'command' was removed on September 15, 2025." }],
  ["unknown", MODEL_NOT_FOUND, openai("Model access denied.", { code: "access_denied" })],
  ["unknown", UPSTREAM_UNAUTHENTICATED, { code: "x", error: "API key is currently blocked: 1" }],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("Your organization has been disabled.")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("Missing API key")],
  ["unknown", QUOTA_EXCEEDED, openai("Payment required to access this resource.")],
  ["bedrock", UPSTREAM_UNAUTHENTICATED, { message: "Your account is not authorized to invoke this API operation." }],
  ["bedrock", MODEL_NOT_FOUND, { message: "Model access is denied due to IAM user or service role" }],
  ["gemini", UPSTREAM_UNAUTHENTICATED, openai("Disabled.", { details: [{ reason: "SERVICE_DISABLED" }] })],
  ["gemini", QUOTA_EXCEEDED, openai("Disabled.", { details: [{ reason: "BILLING_DISABLED" }] })],
  ["groq", MODEL_NOT_FOUND, openai("Blocked by the organization.", { code: "model_permission_blocked_org" })],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("User location is not supported.")],
  ["unknown", QUOTA_EXCEEDED, openai("Project spend limit reached")],
  ["unknown", QUOTA_EXCEEDED, openai("Your account balance is too low")],
  ["unknown", MODEL_NOT_FOUND, openai("The model gpt-9 is not available in your region.")],
  [
    "openai",
    UPSTREAM_MISCONFIGURED,
    openai("This is not a chat model and thus not supported in the v1/chat/completions"),
  ],
  [
    "openai",
    UPSTREAM_MISCONFIGURED,
    openai("This model is only supported in v1/responses and not in v1/chat/completions."),
  ],
  // Words that several servers share, and gateways repeat under a status of their own.
  ["unknown", INVALID_REQUEST, openai("Model does not support images. Please use a model that does.", { code: 500 })],
  ["unknown", INVALID_REQUEST, openai("gemma-2 is not a multimodal model", { code: 500 })],
  ["unknown", INVALID_REQUEST, openai("image_url is not supported by this model", { code: 500 })],
  ["unknown", INVALID_REQUEST, openai("At most 0 image(s) may be provided in one prompt.", { code: 500 })],
  ["unknown", INVALID_REQUEST, openai("failed to process image: model does not have vision support", { code: 500 })],
  ["unknown", INVALID_REQUEST, openai("unsupported content type: image_url", { code: 500 })],
  ["unknown", INVALID_REQUEST, openai("Vision content not supported for this model", { code: 500 })],
  ["unknown", RATE_LIMITED, openai("Rate limit reached for model llama-3")],
  ["unknown", RATE_LIMITED, openai("Tokens per minute limit exceeded - too many tokens processed.")],
  ["unknown", RATE_LIMITED, openai("Too many requests")],
  ["unknown", RATE_LIMITED, openai("Too many tokens, please wait before trying again.")],
  ["unknown", RATE_LIMITED, openai("Request was throttled. Expected available in 3 seconds.")],
  ["unknown", RATE_LIMITED, openai("You have exceeded the rate limit")],
  ["unknown", RATE_LIMITED, openai("Quota exceeded for quota metric 'Generate requests per minute'")],
  ["unknown", RATE_LIMITED, openai("Your account reached max request limit")],
  ["unknown", RATE_LIMITED, openai("Limit of 60 requests per minute exceeded")],
  ["unknown", RATE_LIMITED, openai("您的账户已达到速率限制")],
  ["unknown", RATE_LIMITED, openai("Slow down.", { code: 429 })],
  ["unknown", QUOTA_EXCEEDED, openai("You exceeded your current quota, please check your plan and billing details.")],
  ["unknown", QUOTA_EXCEEDED, openai("This request requires more credits, or fewer max_tokens.")],
  ["unknown", QUOTA_EXCEEDED, openai("Your account is suspended, please check your plan and billing details")],
  ["unknown", QUOTA_EXCEEDED, openai("Cloud credits expired - Please contact NVIDIA representatives")],
  ["unknown", QUOTA_EXCEEDED, openai("You have run out of credits")],
  ["unknown", QUOTA_EXCEEDED, openai("Your prepayment credits are depleted.")],
  ["unknown", QUOTA_EXCEEDED, openai("余额不足或无可用资源包,请充值。")],
  ["unknown", QUOTA_EXCEEDED, openai("Usage limit reached for 5 hour.")],
  ["unknown", QUOTA_EXCEEDED, openai("The free tier of the model has been exhausted.")],
  ["unknown", QUOTA_EXCEEDED, openai("Access denied, please make sure your account is in good standing.")],
  ["unknown", UPSTREAM_OVERLOADED, openai("Our servers are currently overloaded. Please try again later.")],
  ["unknown", UPSTREAM_OVERLOADED, openai("llama-3.3-70b is currently over capacity. Please try again.")],
  ["unknown", UPSTREAM_OVERLOADED, openai("Service tier capacity exceeded for this model.")],
  ["unknown", UPSTREAM_OVERLOADED, openai("We're experiencing high traffic right now! Please try again soon.")],
  ["unknown", UPSTREAM_OVERLOADED, openai("No instances available (yet) for chute_id='x'")],
  ["unknown", UPSTREAM_OVERLOADED, openai("Bedrock is unable to process your request.")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("login fail: Please carry the API secret key")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("You didn't provide an API key.")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("Invalid username or password.")],
  ["unknown", UPSTREAM_UNAUTHENTICATED, openai("x-api-key header is required")],
  [
    "unknown",
    UPSTREAM_UNAUTHENTICATED,
    openai("User: arn:aws:iam::1:user/x is not authorized to perform: bedrock:InvokeModel"),
  ],
  [
    "unknown",
    UPSTREAM_UNAUTHENTICATED,
    openai("This authentication method does not have sufficient permissions to call"),
  ],
  [
    "unknown",
    CONTENT_FILTERED,
    openai("The response was filtered due to the prompt triggering Azure OpenAI's policy."),
  ],
  ["unknown", CONTENT_FILTERED, openai("Output data may contain inappropriate content.")],
  ["unknown", CONTENT_FILTERED, openai("系统检测到输入或生成内容可能包含不安全或敏感内容")],
  ["unknown", CONTENT_FILTERED, openai("The request was rejected because it was considered high risk")],
  ["unknown", CONTENT_FILTERED, openai("Your request was flagged as potentially violating our usage policy.")],
  ["unknown", CONTENT_FILTERED, openai("Output blocked by content filtering policy")],
  ["unknown", CONTENT_FILTERED, openai("Blocked by guardrail")],
  ["unknown", MODEL_NOT_FOUND, openai("The model 'x' is not available.")],
  ["unknown", MODEL_NOT_FOUND, openai("This model version has reached the end of its life.")],
  ["unknown", MODEL_NOT_FOUND, openai("gpt-3 is no longer available")],
  ["unknown", MODEL_NOT_FOUND, openai("Unsupported model: x")],
  ["unknown", MODEL_NOT_FOUND, openai("Provider has no model x")],
  ["unknown", MODEL_NOT_FOUND, openai("models/x is not found for API version v1main")],
  ["unknown", MODEL_NOT_FOUND, openai("Could not resolve the foundation model from the provided model identifier.")],
  ["unknown", MODEL_NOT_FOUND, openai("Access denied. This Model is marked by provider as Legacy")],
  ["unknown", MODEL_NOT_FOUND, openai("The given endpoint does not exist, please retry")],
  ["unknown", MODEL_NOT_FOUND, openai("模型不存在，请检查模型代码。")],
  ["unknown", MODEL_NOT_FOUND, openai("Unable to access non-serverless model X.")],
  ["unknown", MODEL_NOT_FOUND, openai("key not allowed to access model. This key can only access models=['a']")],
  ["unknown", INVALID_REQUEST, openai("Unsupported value: 'temperature' does not support 0.2 with this model.")],
  ["unknown", INVALID_REQUEST, openai("Unsupported parameter: 'max_tokens' is not supported with this model.")],
  ["unknown", INVALID_REQUEST, openai("Model x is not supported for tool calling with images")],
  ["unknown", INVALID_REQUEST, openai("Invalid value: 'Too many requests'")],
  // What a message repeats of a request says nothing of a key.
  ["unknown", INVALID_REQUEST, openai("Invalid type for 'user': expected a text, got 'Invalid API key'")],
  ["unknown", INVALID_REQUEST, openai("Unknown parameter: payment required")],
  ["unknown", INVALID_REQUEST, openai("Invalid token in the prompt")],
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
  ["minimax", CONTENT_FILTERED, { base_resp: { status_code: 1026, status_msg: "sensitive" } }],
  ["minimax", CONTENT_FILTERED, { base_resp: { status_code: 1027, status_msg: "sensitive" } }],
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
  [
    "bedrock",
    CONTEXT_LENGTH_EXCEEDED,
    { message: "Input Tokens Exceeded: Number of input tokens exceeds maximum length." },
  ],
  ["deepseek", CONTENT_FILTERED, openai("Content Exists Risk", { code: "invalid_request_error" })],
  ["moonshot", CONTEXT_LENGTH_EXCEEDED, openai("Input token length too long")],
  [
    "xai",
    CONTENT_FILTERED,
    { code: "The caller does not have permission", error: "Content violates usage guidelines. Failed check: x" },
  ],
  ["groq", CONTEXT_LENGTH_EXCEEDED, openai("Please reduce the length of the messages or completion.")],
  ["together", MODEL_NOT_FOUND, openai("m", { code: "model_not_available" })],
  ["together", MODEL_NOT_FOUND, openai("Unable to access model x. Please visit the list of supported models.")],
  [
    "gemini",
    CONTEXT_LENGTH_EXCEEDED,
    {
      error: {
        message:
          "Unable to submit request because the input token count is 1200000 but the model supports up to 1048576 tokens.",
      },
    },
  ],
  [
    "gemini",
    MODEL_NOT_FOUND,
    {
      error: { message: "* GenerateContentRequest.model: unexpected model name format\n", status: "INVALID_ARGUMENT" },
    },
  ],
  [
    "lm-studio",
    CONTEXT_LENGTH_EXCEEDED,
    { error: "The number of tokens to keep from the initial prompt is greater than the context length." },
  ],
  [
    "lm-studio",
    CONTEXT_LENGTH_EXCEEDED,
    { error: "Reached context length of 4096 tokens, but this model does not support it." },
  ],
  ["lm-studio", MODEL_NOT_FOUND, { error: "Model is unloaded." }],
  [
    "litellm",
    CONTEXT_LENGTH_EXCEEDED,
    openai("litellm.BadRequestError: litellm.ContextWindowExceededError: x", { code: "400" }),
  ],
  ["minimax", MODEL_NOT_FOUND, { base_resp: { status_code: 2013, status_msg: "invalid params, unknown model 'x'" } }],
  [
    "minimax",
    CONTENT_FILTERED,
    { type: "error", error: { type: "bad_request_error", message: "input new_sensitive (1026)" } },
  ],
  ["minimax", INVALID_REQUEST, { base_resp: { status_code: 2013, status_msg: "invalid params" } }],
  ["minimax", QUOTA_EXCEEDED, { base_resp: { status_code: 2056, status_msg: "usage limit exceeded" } }],
  ["dashscope", UPSTREAM_OVERLOADED, openai("m", { code: "ServiceUnavailable" })],
  [
    "tgi",
    CONTEXT_LENGTH_EXCEEDED,
    {
      error: "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000",
      error_type: "validation",
    },
  ],
  ["tgi", UPSTREAM_OVERLOADED, { error: "Model is busy", error_type: "overloaded" }],
  ["cohere", CONTEXT_LENGTH_EXCEEDED, { message: "too many tokens: size limit exceeded by 100 tokens." }],
  [
    "cohere",
    CONTEXT_LENGTH_EXCEEDED,
    { message: "invalid request: total number of tokens in the prompt cannot exceed 4081 - received 5000." },
  ],
  [
    "siliconflow",
    CONTEXT_LENGTH_EXCEEDED,
    { code: 20015, message: "length of prompt_tokens (40000) must be less than max_seq_len (32768).", data: null },
  ],
  ["siliconflow", MODEL_NOT_FOUND, { code: 20012, message: "Check the model.", data: null }],
  ["siliconflow", QUOTA_EXCEEDED, { code: 30001, message: "Sorry, your account balance is insufficient", data: null }],
  [
    "siliconflow",
    UPSTREAM_OVERLOADED,
    { code: 50505, message: "Model service overloaded. Please try again later.", data: null },
  ],
  ["volcengine", CONTEXT_LENGTH_EXCEEDED, openai("m", { code: "OutofContextError" })],
  [
    "volcengine",
    CONTEXT_LENGTH_EXCEEDED,
    openai("Total tokens of image and text exceed max message tokens", { code: "InvalidParameter" }),
  ],
  ["volcengine", QUOTA_EXCEEDED, openai("m", { code: "AccountOverdueError", type: "Forbidden" })],
  ["volcengine", QUOTA_EXCEEDED, openai("m", { code: "SetLimitExceeded", type: "TooManyRequests" })],
  ["volcengine", UPSTREAM_OVERLOADED, openai("m", { code: "ServerOverloaded", type: "TooManyRequests" })],
  ["volcengine", MODEL_NOT_FOUND, openai("m", { code: "ModelNotOpen", type: "NotFound" })],
  ["volcengine", CONTENT_FILTERED, openai("m", { code: "SensitiveContentDetected" })],
  ["volcengine", CONTENT_FILTERED, openai("m", { code: "InputTextSensitiveContentDetected" })],
  ["volcengine", CONTENT_FILTERED, openai("m", { code: "InputImageSensitiveContentDetected" })],
  ["volcengine", CONTENT_FILTERED, openai("m", { code: "OutputTextSensitiveContentDetected" })],
  [
    "databricks",
    CONTEXT_LENGTH_EXCEEDED,
    { error_code: "BAD_REQUEST", message: "Bad request: prompt token count (5000) cannot exceed 4096." },
  ],
  ["databricks", MODEL_NOT_FOUND, { error_code: "ENDPOINT_NOT_FOUND", message: "The given endpoint does not exist" }],
  [
    "databricks",
    MODEL_NOT_FOUND,
    { error_code: "RESOURCE_DOES_NOT_EXIST", message: "Endpoint with name 'x' does not exist." },
  ],
  ["databricks", RATE_LIMITED, { error_code: "REQUEST_LIMIT_EXCEEDED", message: "m" }],
  ["databricks", UPSTREAM_OVERLOADED, { error_code: "TEMPORARILY_UNAVAILABLE", message: "m" }],
  ["databricks", UPSTREAM_UNAUTHENTICATED, { error_code: "PERMISSION_DENIED", message: "m" }],
  ["nvidia", MODEL_NOT_FOUND, { status: 404, title: "Not Found", detail: "Function 'abc': Not found for account 'x'" }],
  ["huggingface", MODEL_NOT_FOUND, { error: "Model x is not supported for task conversational" }],
  [
    "huggingface",
    UPSTREAM_MISCONFIGURED,
    { error: "https://api-inference.huggingface.co is no longer supported. Please use https://router.huggingface.co" },
    410,
  ],
  [
    "huggingface",
    QUOTA_EXCEEDED,
    { error: "You have exceeded your monthly included credits for Inference Providers." },
  ],
  [
    "cloudflare",
    QUOTA_EXCEEDED,
    { errors: [{ code: 3036, message: "AiError: you have used up your daily free allocation" }] },
  ],
  ["cloudflare", UPSTREAM_OVERLOADED, { errors: [{ code: 3040, message: "AiError: Out of capacity" }] }],
  ["cloudflare", MODEL_NOT_FOUND, { errors: [{ code: 5007, message: "AiError: this model is none of ours" }] }],
  ["cloudflare", UPSTREAM_MISCONFIGURED, { errors: [{ code: 7000, message: "No route for that URI" }] }],
  [
    "cloudflare",
    UPSTREAM_MISCONFIGURED,
    { errors: [{ code: 7003, message: "Could not route to /client/v4/accounts/x" }] },
  ],
  ["cloudflare", UPSTREAM_UNAUTHENTICATED, { errors: [{ code: 10000, message: "Authentication error" }] }],
  ["unknown", UPSTREAM_OVERLOADED, { error: "Model is too busy" }],
];

/** The server's own words alone, so that one that is deleted is missed. */
const ownFacts = (name: ServerName) => ({
  ...findServer(name).facts,
  errorPlaces: findServerFacts(name, "chat").errorPlaces,
});

/** Errors in `base_resp` come inside 200, where there is no status. */
function statusOf(body: object): number | undefined {
  if ("base_resp" in body) return undefined;
  return JSON.stringify(body).includes('"code":500') ? 500 : 400;
}

describe("the errors of servers", () => {
  const cases = SAID.map(([name, reason, body, status]) => ({ name, reason, body, status: status ?? statusOf(body) }));

  it.each(cases)("$name means $reason by $body", ({ name, reason, body, status }) => {
    const error = decodeOpenAiErrorObject({ ...body }, ownFacts(name), status);
    expect(error.reason).toBe(reason);
    if (reason === UPSTREAM_UNAUTHENTICATED)
      expect(error.message).toBe("the upstream refused this service's own credentials");
  });

  it.each(SERVER_NAMES)("%s has no word that nothing is said in", (name) => {
    const { errors = [] } = { errors: [], ...findServer(name).facts };
    for (const word of errors) {
      const others = errors.filter((other) => other !== word);
      const said = SAID.filter(([server]) => server === name);
      const isMissed = said.some(([, reason, body, status = statusOf(body)]) => {
        const facts = { ...ownFacts(name), errors: others };
        return decodeOpenAiErrorObject({ ...body }, facts, status).reason !== reason;
      });
      expect([word, isMissed]).toEqual([word, true]);
    }
  });

  it("mean the same at a server that nothing is known of, which may repeat another one", () => {
    const { errors, errorPlaces } = findServerFacts("unknown", "chat");
    for (const [, reason, body, status = statusOf(body)] of SAID) {
      const error = decodeOpenAiErrorObject({ ...body }, { errors, errorPlaces }, status);
      expect([body, error.reason]).toEqual([body, reason]);
    }
  });

  it("are not believed where a message repeats a caller's words", () => {
    const { errors } = findServerFacts("unknown", "chat");
    const message = "Invalid value for 'messages[0].content': 'API key not valid. Please pass a valid API key.'";
    expect(reasonByWords({ codes: ["invalid_request_error"], message }, errors)).toBeUndefined();
  });
});
