import type { Snippet } from "../../../parts/snippet.ts";

/** The facts of a workload snippet. */
interface WorkloadSnippetFacts {
  /** Address of this service: http://localhost:8080. */
  readonly origin: string;
  readonly model: string;
}

/** Writes how a call names its workload, in three languages. */
export function workloadSnippets({ origin, model }: WorkloadSnippetFacts): readonly Snippet[] {
  const curl = `curl -sS ${origin}/v1/chat/completions \\
  -H "authorization: Bearer $ATTUNE_KEY" \\
  -H "attune-workload: support" \\
  -H "content-type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`;
  const python = `import os

from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["ATTUNE_KEY"])
chat = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
    extra_headers={"attune-workload": "support"},
)`;
  const typescript = `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: process.env["ATTUNE_KEY"] });
const chat = await client.chat.completions.create(
  { model: "${model}", messages: [{ role: "user", content: "Hello" }] },
  { headers: { "attune-workload": "support" } },
);`;
  return [
    { language: "curl", code: curl },
    { language: "Python", code: python },
    { language: "TypeScript", code: typescript },
  ];
}
