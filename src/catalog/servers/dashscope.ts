import type { Server } from "../server.ts";

/** Alibaba Cloud Model Studio. */
export const dashscope = {
  at: ["dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com", "maas.aliyuncs.com"],
  sources: [
    {
      at: "QwenLM/qwen-code#7661, cloudwego/eino#994: no call is demanded while a model thinks",
      on: "2026-11-30",
      basis: "reported",
      tells: ["thinkingChoices"],
    },
    {
      at: "help.aliyun.com/model-studio/error-code; badlogic/pi-mono, overflow patterns; {code, message} inside 200 is reported",
      on: "2026-11-29",
      basis: "reported",
      tells: ["errorPlaces"],
    },
    {
      at: "help.aliyun.com/model-studio/error-code; badlogic/pi-mono, overflow patterns; {code, message} inside 200 is reported",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "help.aliyun.com/zh/model-studio, deep thinking; QwenLM/Qwen-Agent#941: thinking_budget; musistudio/claude-code-router#948: not without a stream",
      on: "2026-11-29",
      basis: "reported",
      tells: ["thinkingSwitch", "thinksInStreams"],
    },
    {
      at: "help.aliyun.com/zh/model-studio, deep thinking; QwenLM/Qwen-Agent#941: thinking_budget; musistudio/claude-code-router#948: not without a stream",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["limitMember", "efforts", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    efforts: [],
    thinkingSwitch: "enable_thinking",
    thinkingChoices: "undemanded",
    thinksInStreams: true,
    toolKinds: "functions",
    errors: [
      { code: "ServiceUnavailable", means: "overloaded" },
      { message: "Range of input length should be", means: "context_length" },
      { code: "Throttling", means: "rate_limited" },
      { code: "Throttling.RateQuota", means: "rate_limited" },
      { code: "Throttling.BurstRate", means: "rate_limited" },
      { code: "limit_requests", means: "rate_limited" },
      { code: "Throttling.AllocationQuota", means: "quota_exceeded" },
      { code: "Arrearage", means: "quota_exceeded" },
      { code: "AllocationQuota.FreeTierOnly", means: "quota_exceeded" },
      { code: "InvalidApiKey", means: "unauthenticated" },
      { code: "AccessDenied.Unpurchased", means: "unauthenticated" },
      { code: "Workspace.AccessDenied", means: "unauthenticated" },
      { code: "ModelNotFound", means: "model_not_found" },
      { code: "Model.AccessDenied", means: "model_not_found" },
      { code: "DataInspectionFailed", means: "content_filtered" },
      { code: "data_inspection_failed", means: "content_filtered" },
    ],
    errorPlaces: [{ code: "code", message: "message" }],
  },
} as const satisfies Server;
