import type { FormatName } from "../draft.ts";
import type { CodeRequest } from "./code-request.ts";

interface Words {
  readonly library: string;
  readonly name: string;
  readonly base: string;
  readonly method: string;
  readonly whole: string;
  /** The lines of code that print an event named `event`. */
  readonly event: string;
}

const OPENAI = { library: "openai", name: "OpenAI", base: "/v1" };

const WORDS: Record<FormatName, Words> = {
  chat: {
    ...OPENAI,
    method: "chat.completions.create",
    whole: "console.log(JSON.stringify(answer.choices[0]?.message, undefined, 2));",
    event: 'process.stdout.write(event.choices[0]?.delta.content ?? "");',
  },
  responses: {
    ...OPENAI,
    method: "responses.create",
    whole: "console.log(JSON.stringify(answer.output, undefined, 2));",
    event: 'if (event.type === "response.output_text.delta") process.stdout.write(event.delta);',
  },
  messages: {
    library: "@anthropic-ai/sdk",
    name: "Anthropic",
    base: "",
    method: "messages.create",
    whole: "console.log(JSON.stringify(answer.content, undefined, 2));",
    event:
      'if (event.type === "content_block_delta" && event.delta.type === "text_delta") ' +
      "process.stdout.write(event.delta.text);",
  },
};

/** Writes a call in TypeScript, with the official SDK of its format. */
export function writeTypeScript({ origin, format, workload, body }: CodeRequest): string {
  const { library, name, base, method, whole, event } = WORDS[format];
  const headers = workload === "" ? "" : `\n  defaultHeaders: { "attune-workload": ${JSON.stringify(workload)} },`;
  const streams = body["stream"] === true;
  const end = streams ? `for await (const event of answer) {\n  ${event}\n}` : whole;
  return `import ${name} from "${library}";

const client = new ${name}({
  baseURL: "${origin}${base}",
  apiKey: process.env["ATTUNE_KEY"] ?? "",${headers}
});
const answer = await client.${method}(${writeValue(body)});
${end}`;
}

/** Names that need no quotes have none. */
function writeValue(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");
}
