import type { Snippet } from "../../../web/parts/snippet.ts";

/** The facts of a call snippet. */
interface SnippetFacts {
  /** Address of this service: http://localhost:8080. */
  readonly origin: string;
  readonly key: string;
  readonly model: string;
}

/** Writes the first call for curl and for official SDKs in three languages, ready to run. */
export function snippetsFor({ origin, key, model }: SnippetFacts): readonly Snippet[] {
  const curl = `curl -sS ${origin}/v1/chat/completions \\
  -H "authorization: Bearer ${key}" \\
  -H "content-type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`;
  const python = `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="${key}")
chat = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(chat.choices[0].message.content)`;
  const typescript = `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: "${key}" });
const chat = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Hello" }],
});
console.log(chat.choices[0]?.message.content);`;
  const go = `package main

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

func main() {
	client := openai.NewClient(option.WithBaseURL("${origin}/v1"), option.WithAPIKey("${key}"))
	chat, err := client.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model:    "${model}",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Hello")},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(chat.Choices[0].Message.Content)
}`;
  return [
    { language: "curl", code: curl },
    { language: "Python", code: python },
    { language: "TypeScript", code: typescript },
    { language: "Go", code: go },
  ];
}
