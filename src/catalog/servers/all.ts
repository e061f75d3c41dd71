import type { Server } from "../server.ts";
import { aimlapi } from "./aimlapi.ts";
import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { bedrock } from "./bedrock.ts";
import { bifrost } from "./bifrost.ts";
import { cerebras } from "./cerebras.ts";
import { claudeCodeRouter } from "./claude-code-router.ts";
import { cloudflare } from "./cloudflare.ts";
import { cohere } from "./cohere.ts";
import { copilot } from "./copilot.ts";
import { dashscope } from "./dashscope.ts";
import { databricks } from "./databricks.ts";
import { deepinfra } from "./deepinfra.ts";
import { deepseek } from "./deepseek.ts";
import { fireworks } from "./fireworks.ts";
import { gemini } from "./gemini.ts";
import { glm } from "./glm.ts";
import { groq } from "./groq.ts";
import { huggingface } from "./huggingface.ts";
import { litellm } from "./litellm.ts";
import { litserve } from "./litserve.ts";
import { llamaCpp } from "./llama-cpp.ts";
import { llmgateway } from "./llmgateway.ts";
import { lmStudio } from "./lm-studio.ts";
import { minimax } from "./minimax.ts";
import { mistral } from "./mistral.ts";
import { mlxLm } from "./mlx-lm.ts";
import { moonshot } from "./moonshot.ts";
import { nvidia } from "./nvidia.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import { openvino } from "./openvino.ts";
import { perplexity } from "./perplexity.ts";
import { portkey } from "./portkey.ts";
import { requesty } from "./requesty.ts";
import { sambanova } from "./sambanova.ts";
import { sglang } from "./sglang.ts";
import { siliconflow } from "./siliconflow.ts";
import { tensorzero } from "./tensorzero.ts";
import { tgi } from "./tgi.ts";
import { together } from "./together.ts";
import { transformers } from "./transformers.ts";
import { unknown } from "./unknown.ts";
import { vercel } from "./vercel.ts";
import { vllm } from "./vllm.ts";
import { volcengine } from "./volcengine.ts";
import { xai } from "./xai.ts";

/** The facts of each server: an address belongs to the first one that has its host. */
export const SERVERS = {
  openai,
  anthropic,
  azure,
  bedrock,
  mistral,
  deepseek,
  moonshot,
  xai,
  glm,
  groq,
  together,
  fireworks,
  openrouter,
  gemini,
  portkey,
  copilot,
  dashscope,
  minimax,
  vllm,
  sglang,
  "llama.cpp": llamaCpp,
  ollama,
  "lm-studio": lmStudio,
  litellm,
  cerebras,
  sambanova,
  nvidia,
  cohere,
  siliconflow,
  volcengine,
  huggingface,
  databricks,
  cloudflare,
  transformers,
  "mlx-lm": mlxLm,
  tgi,
  litserve,
  tensorzero,
  openvino,
  bifrost,
  "claude-code-router": claudeCodeRouter,
  perplexity,
  deepinfra,
  llmgateway,
  aimlapi,
  vercel,
  requesty,
  unknown,
} as const satisfies Readonly<Record<string, Server>>;
