import type { Snippet } from "../../../web/parts/snippet.ts";

/** The facts of a feedback snippet. */
interface FeedbackSnippetFacts {
  /** Address of this service: http://localhost:8080. */
  readonly origin: string;
  readonly model: string;
  /** Of an inference of the project; undefined where there is none yet. */
  readonly inferenceId: string | undefined;
}

/** Writes a call and the feedback on its answer: with curl on an answer that there is, with SDKs in one go. */
export function feedbackSnippets({ origin, model, inferenceId }: FeedbackSnippetFacts): readonly Snippet[] {
  const curl = `curl -sS ${origin}/v1/feedback \\
  -H "authorization: Bearer $ATTUNE_KEY" \\
  -H "content-type: application/json" \\
  -d '[{"id": "${inferenceId ?? "ID OF AN ANSWER"}", "feedback": {"helpful": true}}]'`;
  const python = `import os

from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["ATTUNE_KEY"])
chat = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
# Later, once it is known how well that went:
event = {"id": chat.id, "feedback": {"helpful": True}}
print(client.post("/feedback", body=[event], cast_to=object))`;
  const typescript = `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: process.env["ATTUNE_KEY"] });
const chat = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Hello" }],
});
// Later, once it is known how well that went:
const event = { id: chat.id, feedback: { helpful: true } };
console.log(await client.post("/feedback", { body: [event] }));`;
  return [
    { language: "curl", code: curl },
    { language: "Python", code: python },
    { language: "TypeScript", code: typescript },
  ];
}
