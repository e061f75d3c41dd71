import type { Language } from "../run-client.ts";

/** A client of the API that others keep. */
export interface Client {
  /** Its script in the language's folder, and its row of the table. */
  readonly name: string;
  readonly language: Language;
  /** What is installed, the client first, each at its release. */
  readonly packages: readonly string[];
}

/** All of them. */
export const CLIENTS: readonly Client[] = [
  { name: "openai", language: "js", packages: ["openai@7.59.0"] },
  { name: "anthropic", language: "js", packages: ["@anthropic-ai/sdk@1.14.0"] },
  {
    name: "ai-sdk",
    language: "js",
    packages: [
      "ai@7.0.173",
      "@ai-sdk/openai@4.0.118",
      "@ai-sdk/anthropic@4.0.105",
      "@ai-sdk/openai-compatible@3.0.92",
      "zod@4",
    ],
  },
  {
    name: "langchain",
    language: "js",
    packages: ["@langchain/core@1.4.0", "@langchain/openai@1.6.0", "@langchain/anthropic@1.5.11", "zod@4"],
  },
  { name: "mastra", language: "js", packages: ["@mastra/core@1.71.0", "@ai-sdk/openai-compatible@3.0.92", "zod@4"] },
  {
    name: "genkit",
    language: "js",
    packages: ["genkit@1.42.0", "@genkit-ai/compat-oai@1.42.0", "@genkit-ai/anthropic@0.3.0"],
  },
  { name: "baml", language: "js", packages: ["@boundaryml/baml@0.226.2"] },
  {
    name: "strands",
    language: "js",
    packages: [
      "@strands-agents/sdk@1.19.0",
      "@modelcontextprotocol/sdk@1",
      "@opentelemetry/api@1",
      "openai@6",
      "@anthropic-ai/sdk@0.109.1",
      "zod@4",
    ],
  },
  {
    name: "tanstack-ai",
    language: "js",
    packages: ["@tanstack/ai@0.58.0", "@tanstack/ai-openai@0.23.1", "@tanstack/ai-anthropic@0.18.11", "zod@4"],
  },
  { name: "codex", language: "js", packages: ["@openai/codex@0.171.0"] },
  { name: "claude-code", language: "js", packages: ["@anthropic-ai/claude-code@2.1.332"] },
  { name: "opencode", language: "js", packages: ["opencode-ai@1.18.33"] },
  { name: "openai", language: "python", packages: ["openai==3.57.0"] },
  { name: "anthropic", language: "python", packages: ["anthropic==2.14.0"] },
  { name: "langchain", language: "python", packages: ["langchain-openai==1.7.4", "langchain-anthropic==1.7.10"] },
  { name: "pydantic-ai", language: "python", packages: ["pydantic-ai-slim[openai,anthropic]==2.68.0"] },
  { name: "litellm", language: "python", packages: ["litellm==1.110.2"] },
  { name: "instructor", language: "python", packages: ["instructor==1.17.0", "anthropic"] },
  { name: "agno", language: "python", packages: ["agno==3.1.10", "openai"] },
  { name: "openai-agents", language: "python", packages: ["openai-agents==0.24.0"] },
  { name: "haystack", language: "python", packages: ["haystack-ai==3.4.1"] },
  {
    name: "llama-index",
    language: "python",
    packages: ["llama-index-llms-openai-like==0.8.1", "llama-index-llms-openai==0.8.3"],
  },
  { name: "google-adk", language: "python", packages: ["google-adk==2.13.0", "litellm==1.110.2"] },
  {
    name: "agent-framework",
    language: "python",
    packages: ["agent-framework-openai==1.17.0", "agent-framework-core==1.23.0"],
  },
  { name: "smolagents", language: "python", packages: ["smolagents[openai]==1.26.0"] },
  { name: "crewai", language: "python", packages: ["crewai==1.15.30"] },
  { name: "autogen", language: "python", packages: ["autogen-agentchat==0.7.5", "autogen-ext[openai]==0.7.5"] },
  { name: "openai", language: "go", packages: ["github.com/openai/openai-go/v3@v3.99.0"] },
  { name: "anthropic", language: "go", packages: ["github.com/anthropics/anthropic-sdk-go/v2@v2.15.0"] },
  { name: "openai", language: "java", packages: ["com.openai:openai-java:4.105.0"] },
  { name: "anthropic", language: "java", packages: ["com.anthropic:anthropic-java:3.14.0"] },
  {
    name: "spring-ai",
    language: "java",
    packages: [
      "org.springframework.ai:spring-ai-client-chat:2.0.1",
      "org.springframework.ai:spring-ai-openai:2.0.1",
      "org.springframework.ai:spring-ai-anthropic:2.0.1",
      "org.springframework.boot:spring-boot-dependencies:4.0.7:pom",
    ],
  },
  {
    name: "langchain4j",
    language: "java",
    packages: ["dev.langchain4j:langchain4j-open-ai:1.19.0", "dev.langchain4j:langchain4j-anthropic:1.19.0"],
  },
  {
    name: "async-openai",
    language: "rust",
    packages: ["async-openai@0.43.0", "--features=chat-completion,responses"],
  },
  { name: "semantic-kernel", language: "python", packages: ["semantic-kernel==1.45.0"] },
  { name: "aider", language: "python", packages: ["aider-chat==0.86.2"] },
  { name: "mirascope", language: "python", packages: ["mirascope[openai,anthropic]==2.8.2"] },
  { name: "dspy", language: "python", packages: ["dspy==3.4.1"] },
];
