import type { Server } from "../server.ts";

/** A server that nothing is known of. */
export const unknown = {
  at: [],
  sources: [
    {
      at: "plain words for an answer that broke off",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["ends"],
    },
    {
      at: "words of a key, an account or a region that OpenAI, Groq, Cerebras, xAI, DeepSeek (nearai/ironclaw#1047), Fireworks and Together share in their references",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "messages in the references of GLM, Moonshot, SiliconFlow, DeepInfra, Chutes, Cerebras, NVIDIA, Hugging Face, Volcengine, DashScope, watsonx, Vertex AI, LiteLLM, LocalAI, mistral.rs and text-generation-webui, in the forms that gateways repeat them",
      on: "2026-11-30",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "words that several servers share: transformers 5.19, TensorZero 2026.6, Fastify and others, run",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    ends: { aborted: "failed", canceled: "failed", cancelled: "failed", failed: "failed", timeout: "failed" },
    errors: [
      {
        message:
          "^(?:the )?(?:requested |specified )?model\\b.{0,200}?\\b(?:not found|does not exist|not exist|has been (?:deprecated|removed|decommissioned))",
        means: "model_not_found",
      },
      { message: "^(?:unknown|invalid|no such) model(?: name)?\\b", means: "model_not_found" },
      { message: "^insufficient (?:account )?(?:balance|credits?|funds|quota)", means: "quota_exceeded" },
      { message: "^(?:invalid|incorrect|expired) (?:api[ -]?key|access token)\\b", means: "unauthenticated" },
      {
        message:
          "^(?:the |your |this )?(?:provided |portkey )?(?:api[ -]?(?:key|token)|access token)(?: you provided| provided)? (?:is |was |has |appears to be )?(?:been |currently )?(?:not valid|not found|invalid|incorrect|expired|revoked|blocked|disabled|deactivated|suspended|missing|malformed|has an ip address restriction)",
        means: "unauthenticated",
      },
      { message: "^(?:authentication fail(?:s|ed)|authentication error|unauthorized)\\b", means: "unauthenticated" },
      {
        message:
          "^(?:the|your|this) (?:account|organization|project|team|workspace|subscription|access)(?: has| is| was)(?: been| currently)? (?:disabled|deactivated|terminated|blocked|restricted|inactive|locked)",
        means: "unauthenticated",
      },
      {
        message:
          "^(?:the )?(?:user |your )?(?:location|country|region)[^'\"`:]{0,60} (?:is )?not (?:supported|available)",
        means: "unauthenticated",
      },
      {
        message:
          "^(?:project |organization |account |monthly )?(?:credit|spend(?:ing)?|billing(?: hard)?) limit (?:exceeded|has been|reached)",
        means: "quota_exceeded",
      },
      { message: "^your (?:account |credit )?balance is (?:too low|insufficient|negative)", means: "quota_exceeded" },
      { message: "^payment required\\b", means: "quota_exceeded" },
      { message: "^(?:model access denied|您无权访问此模型|当前订阅套餐暂未开放)", means: "model_not_found" },
      {
        message:
          "^(?:you|your (?:account|organization|project|team|workspace|plan|key|api key)) (?:does(?: not|n't)|do(?: not|n't)) have (?:access|permission) to (?:use )?(?:the |this )?(?:model\\b|claude|gpt|gemini|grok)",
        means: "model_not_found",
      },
      { message: "^access to this model is not available", means: "model_not_found" },
      { message: "^the long context beta is not yet available for this subscription", means: "model_not_found" },
      { message: "^prompt exceeds max length", means: "context_length" },
      // Requests that a model cannot take: the server's failure by its status, at many servers.
      {
        message:
          "^(?:(?:the|this) )?(?:\\S{1,200} )?(?:model )?(?:does(?: not|n't)|is not|isn't|cannot|can't) (?:support(?:ing)?|have|accept|process|handle|an?)? ?(?:the )?(?:images?|image_url|vision|audio|video|multi-?modal)",
        means: "invalid_request",
      },
      {
        message:
          "^(?:image|image_url|vision|audio|video|multi-?modal)s?(?: \\w{1,20}){0,2} (?:is|are)? ?(?:not supported|unsupported)",
        means: "invalid_request",
      },
      { message: "^unsupported content type: (?:image|audio|video|file)", means: "invalid_request" },
      { message: "^at most 0 (?:image|audio|video)", means: "invalid_request" },
      {
        message: "^failed to process (?:image|audio|video).{0,60}(?:not have|not support|no) ",
        means: "invalid_request",
      },
      // Rates.
      {
        message:
          "^(?:the |your |api |user |requests? |global |requests? rate )?(?:(?:rate|rpm|tpm|requests?|concurrency)(?: per (?:minute|day|second|hour))?|tokens? per (?:minute|day|hour))[ _]limits?[ _](?:is |was |has been )?(?:reached|exceeded|hit)",
        means: "rate_limited",
      },
      { message: "^too many (?:concurrent |parallel )?requests", means: "rate_limited" },
      { message: "^too many tokens, please wait", means: "rate_limited" },
      { message: "^(?:(?:your )?request (?:was|has been) )?throttl(?:ed|ing)\\b", means: "rate_limited" },
      {
        message: "^you(?:'ve| have)? (?:exceeded|reached|hit) (?:the|your) (?:rate|concurrency|requests?) limit",
        means: "rate_limited",
      },
      { message: "^quota exceeded for quota metric", means: "rate_limited" },
      { message: "^your account reached max request", means: "rate_limited" },
      { message: "^limit of \\d{1,9} requests per", means: "rate_limited" },
      { message: "^(?:您的账户已达到速率限制|您当前使用该API的并发数过高)", means: "rate_limited" },
      // Accounts that are used up.
      {
        message:
          "^you(?:'ve| have)? (?:exceeded|used up) your (?:current |monthly |included )*(?:quota|credits|budget)(?![\\s\\S]*\\bplease retry in \\d)",
        means: "quota_exceeded",
      },
      { message: "^this request requires more credits", means: "quota_exceeded" },
      {
        message:
          "^(?:sorry, )?(?:the request failed because )?your account[^'\"]{0,120}(?:suspended, please check your plan|overdue balance|not active, please check your billing|balance is insufficient|insufficient balance|not enough credits)",
        means: "quota_exceeded",
      },
      { message: "^cloud credits expired", means: "quota_exceeded" },
      {
        message: "^(?:you have |you've )?(?:no|not enough|run out of|out of) (?:more )?(?:credits?|balance|funds)\\b",
        means: "quota_exceeded",
      },
      { message: "^your (?:prepayment )?credits are (?:depleted|exhausted|used up)", means: "quota_exceeded" },
      {
        message: "^(?:余额不足|(?:用户额度|账户余额)不足|该令牌额度已用尽|预扣费额度失败|您的账户已欠费)",
        means: "quota_exceeded",
      },
      {
        message:
          "^(?:your |the )?(?:subscription|plan|free trial|trial|free tier|credits?)(?: period)? (?:has |have |is |are )?(?:expired|ended|lapsed)(?:[.,!]|$| on )",
        means: "quota_exceeded",
      },
      {
        message: "^(?:inactive subscription or usage limit reached|your api key has exhausted its usage limits)",
        means: "quota_exceeded",
      },
      { message: "^[^'\"`:]{0,60} requires a valid (?:credit card|payment method)", means: "quota_exceeded" },
      {
        message: "^(?:session |weekly |daily |monthly )?usage limit (?:has been )?(?:reached|exceeded)",
        means: "quota_exceeded",
      },
      { message: "^the free tier of the model has been exhausted", means: "quota_exceeded" },
      { message: "^access denied, please make sure your account is in good standing", means: "quota_exceeded" },
      // Overload.
      {
        message:
          "^(?:(?:the|our|this|that|your) )?(?:\\S{1,200} )?(?:engine|servers?|system|service|model|infrastructure|queue|workers?)\\b[^'\"`:]{0,80}\\b(?:overloaded|(?:too )?busy|over capacity|at (?:maximum |full )?capacity|is full|experiencing high (?:demand|traffic)|is (?:currently |still )?loading)",
        means: "overloaded",
      },
      { message: "^\\S{1,200} is currently over capacity", means: "overloaded" },
      { message: "^(?:service tier |server |model )?capacity (?:temporarily )?exceeded", means: "overloaded" },
      { message: "^we(?:'re| are) (?:currently )?experiencing high (?:traffic|demand)", means: "overloaded" },
      { message: "^(?:overloaded\\b|loading model\\b|high demand\\b|no instances available\\b)", means: "overloaded" },
      { message: "^bedrock is unable to process your request", means: "overloaded" },
      // Keys.
      {
        message:
          "^(?:login fail|failed to authenticate the request|access denied due to invalid subscription key|token expired or incorrect|身份验证失败)",
        means: "unauthenticated",
      },
      {
        message:
          "^(?:no|missing|bad|wrong|unknown|you didn't provide an) (?:api[ -]?key|access token|auth(?:entication|orization)? (?:credentials|token|header))\\b",
        means: "unauthenticated",
      },
      {
        message: "^invalid (?:username or password|credentials|bearer token|authentication|token)\\.?$",
        means: "unauthenticated",
      },
      { message: "^(?:x-api-key|authorization) header is (?:required|missing)", means: "unauthenticated" },
      {
        message:
          "^(?:bad request: )?(?:(?:missing|invalid|malformed|no)\\b[^'\"`:]{0,30} )?authorization header\\b(?!.{0,20}\\b(?:mcp|tool))",
        means: "unauthenticated",
      },
      {
        message: "^(?:无效的令牌|该令牌(?:已过期|状态不可用)|未提供令牌|您的账户已被(?:锁定|封禁|冻结))",
        means: "unauthenticated",
      },
      { message: "^no such (?:organization|project)\\b", means: "unauthenticated" },
      {
        message:
          "^(?:project|organization|workspace) \\S{1,200} (?:is|was|has been) (?:archived|suspended|disabled|deleted)",
        means: "unauthenticated",
      },
      { message: "^user: arn:aws\\S{1,200} is not authorized to perform", means: "unauthenticated" },
      { message: "^this authentication method does not have sufficient permissions", means: "unauthenticated" },
      // Filters.
      {
        message:
          "^(?:the request failed because the )?(?:input|output) (?:\\w{1,20} )?may contain (?:inappropriate|sensitive)",
        means: "content_filtered",
      },
      { message: "^系统检测到输入或生成内容可能包含不安全", means: "content_filtered" },
      { message: "^the request was rejected because it was considered high risk", means: "content_filtered" },
      { message: "^(?:invalid prompt: )?your (?:prompt|request) was flagged", means: "content_filtered" },
      {
        message:
          "^(?:the |this )?(?:content|prompt|response|output|input)(?: of the request)? (?:was |has been )?(?:blocked|flagged|filtered)\\b",
        means: "content_filtered",
      },
      { message: "^blocked by (?:a |the )?(?:guardrail|content filter|safety)", means: "content_filtered" },
      // Models.
      {
        message:
          "^(?:(?:the|this) )?(?:requested |specified |provided )?model\\b ?['\"`]?[^'\"`]{0,200}?['\"`]? ?\\b(?:has been (?:retired|sunset)|was retired|is (?:currently )?(?:not available|unavailable)|is not loaded|is not a supported model|is not supported(?: (?:in|for) (?:this environment|(?:your|this) (?:region|account|organization|country)))?\\.?$|is no longer (?:available|supported)|(?:has )?reached (?:its|the) end of life|is not servable)",
        means: "model_not_found",
      },
      { message: "^this model version has reached the end of its life", means: "model_not_found" },
      { message: "^\\S{1,200} is (?:no longer available|not a known model)", means: "model_not_found" },
      {
        message: "^(?:unsupported|unavailable|cannot find|can't find|could not find|no|there is no) model\\b",
        means: "model_not_found",
      },
      { message: "^provider \\S{0,100} ?has no model", means: "model_not_found" },
      {
        message: "^(?:publisher model|models/)\\S* ?\\S{0,300} (?:was|is) not (?:found|servable)",
        means: "model_not_found",
      },
      { message: "^could not resolve the foundation model", means: "model_not_found" },
      { message: "^access denied\\. this model is marked by provider as legacy", means: "model_not_found" },
      { message: "^the given endpoint does not exist", means: "model_not_found" },
      { message: "^模型不存在", means: "model_not_found" },
      { message: "^unable to access non-serverless model", means: "model_not_found" },
      { message: "^(?:key|team|user|organization) not allowed to access model", means: "model_not_found" },
      { message: "^route not found", means: "route_not_found" },
    ],
  },
} as const satisfies Server;
