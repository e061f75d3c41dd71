import type { FormatName } from "../draft.ts";
import type { JsonObject } from "../formats/json.ts";
import { type CodeRequest, moved } from "./code-request.ts";

interface Words {
  readonly library: string;
  readonly name: string;
  readonly base: string;
  readonly method: string;
  readonly whole: string;
  /** The lines of code that print an event named `event`. */
  readonly event: readonly string[];
}

const OPENAI = { library: "openai", name: "OpenAI", base: "/v1" };

const WORDS: Record<FormatName, Words> = {
  chat: {
    ...OPENAI,
    method: "chat.completions.create",
    whole: "print(answer.choices[0].message)",
    event: ["if event.choices:", '    print(event.choices[0].delta.content or "", end="", flush=True)'],
  },
  responses: {
    ...OPENAI,
    method: "responses.create",
    whole: "print(answer.output)",
    event: ['if event.type == "response.output_text.delta":', '    print(event.delta, end="", flush=True)'],
  },
  messages: {
    library: "anthropic",
    name: "Anthropic",
    base: "",
    method: "messages.create",
    whole: "print(answer.content)",
    event: [
      'if event.type == "content_block_delta" and event.delta.type == "text_delta":',
      '    print(event.delta.text, end="", flush=True)',
    ],
  },
};

/** Writes a call in Python, with the official SDK of its format. */
export function writePython({ origin, format, workload, body }: CodeRequest): string {
  const { library, name, base, method, whole, event } = WORDS[format];
  const headers = workload === "" ? "" : `\n    default_headers={"attune-workload": ${JSON.stringify(workload)}},`;
  const streams = body["stream"] === true;
  const end = streams ? ["for event in answer:", ...event.map((line) => `    ${line}`)].join("\n") : whole;
  return `import os

from ${library} import ${name}

client = ${name}(
    base_url="${origin}${base}",
    api_key=os.environ["ATTUNE_KEY"],${headers}
)
answer = client.${method}(
${writeArguments(body)}
)
${end}`;
}

function writeArguments(body: JsonObject): string {
  return Object.entries(body)
    .map(([name, value]) => `    ${name}=${moved(writeValue(value), 4)},`)
    .join("\n");
}

/** The texts of JSON are texts of Python; its three words are others. */
function writeValue(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const [open, close, members] = Array.isArray(value)
    ? ["[", "]", value.map(writeValue)]
    : ["{", "}", Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${writeValue(inner)}`)];
  if (members.length === 0) return `${open}${close}`;
  return `${open}\n${members.map((member) => `    ${moved(member, 4)},`).join("\n")}\n${close}`;
}
