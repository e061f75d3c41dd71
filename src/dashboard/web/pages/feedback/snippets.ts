import type { Snippet } from "../../parts/snippet.ts";

/** The facts of a feedback snippet. */
interface FeedbackSnippetFacts {
  /** Address of this service: http://localhost:8080. */
  readonly origin: string;
  /** Of an inference of the project; undefined where there is none yet. */
  readonly inferenceId: string | undefined;
}

/** Writes how to send feedback, in three languages. */
export function feedbackSnippets({
  origin,
  inferenceId = "ID OF AN ANSWER",
}: FeedbackSnippetFacts): readonly Snippet[] {
  const curl = `curl -sS ${origin}/v1/feedback \\
  -H "authorization: Bearer $ATTUNE_KEY" \\
  -H "content-type: application/json" \\
  -d '[{"id": "${inferenceId}",
    "feedback": {"helpful": true, "quality": 0.8, "comment": "to the point"}}]'`;
  const python = `import json
import os
import urllib.request

events = [{
    "id": "${inferenceId}",
    "feedback": {"helpful": True, "quality": 0.8, "comment": "to the point"},
}]
request = urllib.request.Request(
    "${origin}/v1/feedback",
    data=json.dumps(events).encode(),
    headers={
        "authorization": f"Bearer {os.environ['ATTUNE_KEY']}",
        "content-type": "application/json",
    },
)
print(urllib.request.urlopen(request).read().decode())`;
  const typescript = `const response = await fetch("${origin}/v1/feedback", {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env["ATTUNE_KEY"]}\`,
    "content-type": "application/json",
  },
  body: JSON.stringify([
    {
      id: "${inferenceId}",
      feedback: { helpful: true, quality: 0.8, comment: "to the point" },
    },
  ]),
});
console.log(await response.json());`;
  return [
    { language: "curl", code: curl },
    { language: "Python", code: python },
    { language: "TypeScript", code: typescript },
  ];
}
