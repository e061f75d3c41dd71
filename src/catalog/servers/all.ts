import type { Server } from "../server.ts";
import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { bedrock } from "./bedrock.ts";
import { copilot } from "./copilot.ts";
import { dashscope } from "./dashscope.ts";
import { deepseek } from "./deepseek.ts";
import { fireworks } from "./fireworks.ts";
import { gemini } from "./gemini.ts";
import { glm } from "./glm.ts";
import { groq } from "./groq.ts";
import { litellm } from "./litellm.ts";
import { llamaCpp } from "./llama-cpp.ts";
import { lmStudio } from "./lm-studio.ts";
import { minimax } from "./minimax.ts";
import { mistral } from "./mistral.ts";
import { moonshot } from "./moonshot.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import { portkey } from "./portkey.ts";
import { sglang } from "./sglang.ts";
import { together } from "./together.ts";
import { unknown } from "./unknown.ts";
import { vllm } from "./vllm.ts";
import { xai } from "./xai.ts";

/** What is known of each server: an address belongs to the first one that has its host. */
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
  unknown,
} as const satisfies Readonly<Record<string, Server>>;
