import { runClient } from "../run-client.ts";
import { writePart } from "../write-part.ts";
import { COLUMNS, isStream, UNKNOWN_EVENT } from "./answers.ts";
import { type RecordingServer, startRecordingServer } from "./record.ts";

type CalledLanguage = "js" | "python" | "go" | "java";

/** How each language is named in the table, and where its calls are. */
const LANGUAGES: Record<CalledLanguage, { readonly label: string; readonly file: (client: string) => string }> = {
  js: { label: "JavaScript", file: () => "calls.mjs" },
  python: { label: "Python", file: () => "calls.py" },
  go: { label: "Go", file: (client) => `${client}.go` },
  java: { label: "Java", file: (client) => `Call${client.charAt(0).toUpperCase()}${client.slice(1)}.java` },
};

/** A client whose calls fail. */
interface FailedClient {
  /** Its name in the language's script; the first word names the file where each client has one. */
  readonly name: string;
  readonly language: CalledLanguage;
  readonly packages: readonly string[];
}

const OPENAI_JS = ["openai@7.59.0"];
const LANGCHAIN_JS = ["@langchain/openai@1.6.0", "@langchain/core@1.4.0", "zod@4", "@langchain/anthropic@1.5.11"];
const AI_SDK = ["ai@7.0.173", "@ai-sdk/openai@4.0.118", "@ai-sdk/anthropic@4.0.105", "zod@4"];
const OPENAI_GO = ["github.com/openai/openai-go/v3@v3.99.0"];
const OPENAI_JAVA = ["com.openai:openai-java:4.105.0"];
const LANGCHAIN_PYTHON = ["langchain-openai==1.7.4", "langchain-anthropic==1.7.10"];

const CLIENTS: readonly FailedClient[] = [
  { name: "openai chat", language: "js", packages: OPENAI_JS },
  { name: "openai responses", language: "js", packages: OPENAI_JS },
  { name: "anthropic", language: "js", packages: ["@anthropic-ai/sdk@1.14.0"] },
  { name: "ai-sdk responses", language: "js", packages: AI_SDK },
  { name: "ai-sdk messages", language: "js", packages: AI_SDK },
  { name: "langchain chat", language: "js", packages: LANGCHAIN_JS },
  { name: "langchain messages", language: "js", packages: LANGCHAIN_JS.toReversed() },
  { name: "codex", language: "js", packages: ["@openai/codex@0.171.0"] },
  { name: "claude-code", language: "js", packages: ["@anthropic-ai/claude-code@2.1.332"] },
  { name: "opencode", language: "js", packages: ["opencode-ai@1.18.33"] },
  { name: "qwen-code", language: "js", packages: ["@qwen-code/qwen-code@0.24.4"] },
  { name: "cline", language: "js", packages: ["cline@3.0.65"] },
  { name: "openai chat", language: "python", packages: ["openai==3.57.0"] },
  { name: "openai responses", language: "python", packages: ["openai==3.57.0"] },
  { name: "anthropic", language: "python", packages: ["anthropic==2.14.0"] },
  { name: "langchain chat", language: "python", packages: LANGCHAIN_PYTHON },
  { name: "langchain messages", language: "python", packages: LANGCHAIN_PYTHON.toReversed() },
  { name: "instructor", language: "python", packages: ["instructor==1.17.0"] },
  { name: "pydantic-ai", language: "python", packages: ["pydantic-ai-slim[openai]==2.68.0"] },
  { name: "litellm", language: "python", packages: ["litellm==1.110.2"] },
  { name: "aider", language: "python", packages: ["aider-chat==0.86.2"] },
  { name: "openai chat", language: "go", packages: OPENAI_GO },
  { name: "openai responses", language: "go", packages: OPENAI_GO },
  { name: "anthropic", language: "go", packages: ["github.com/anthropics/anthropic-sdk-go/v2@v2.15.0"] },
  { name: "openai chat", language: "java", packages: OPENAI_JAVA },
  { name: "openai responses", language: "java", packages: OPENAI_JAVA },
  { name: "anthropic", language: "java", packages: ["com.anthropic:anthropic-java:3.14.0"] },
];

/**
 * Has clients make a call for each failure, and writes how many requests it came to into docs/failed-calls.md; all
 * clients if none is named. `anthropic` names the clients of all languages, and `anthropic/go` that of one.
 */
export async function run(names: readonly string[]): Promise<boolean> {
  const clients = CLIENTS.filter(
    ({ name, language }) => names.length === 0 || names.includes(name) || names.includes(`${name}/${language}`),
  );
  if (clients.length === 0) throw new Error(`there are ${[...new Set(CLIENTS.map(({ name }) => name))].join(", ")}`);
  let held = true;
  for (const client of clients) {
    const server = await startRecordingServer();
    const [folder = "", ...rest] = [client.name.split(" ")[0], client.name];
    const { label: language, file } = LANGUAGES[client.language];
    const command = [file(folder), ...rest];
    const script = { ...client, name: folder, scripts: import.meta.dirname, command };
    const ends = endsIn(await runClient(script, { SERVER: server.url, COLUMNS: JSON.stringify(COLUMNS) }));
    server.close();
    const cells = COLUMNS.map((column) => cellOf(server, column, ends.get(column)));
    const label = `${client.name} (${language})`;
    console.log(label, COLUMNS.map((column, index) => `${column}: ${cells[index]}`).join("; "));
    for (const [column, { note }] of ends) console.log(`  ${column}: ${note}`);
    held &&= ends.size > 0;
    if (ends.size === 0) continue;
    const [release = ""] = client.packages;
    const page = "docs/failed-calls.md";
    writePart({
      page,
      suite: "statuses",
      headings: ["client", "release", ...COLUMNS],
      rows: [[label, release, ...cells]],
    });
  }
  return held;
}

/** The end of a call. */
interface End {
  readonly isText: boolean;
  readonly note: string;
}

/** The requests of a call, and the seconds from the first to the last; of a stream also whether its text was taken. */
function cellOf(server: RecordingServer, column: string, end: End | undefined): string {
  const times = server.times(column);
  if (times.length === 0) return "-";
  const seconds = Math.round(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000);
  const more = end === undefined || /still waiting/.test(end.note) ? " or more" : "";
  const count = times.length === 1 ? "1" : `${times.length} in ${seconds} s`;
  if (column === UNKNOWN_EVENT) return end?.isText === true ? "passed over" : `fails, ${count}`;
  // A stream that is cut must not look like an answer.
  return count + more + (isStream(column) && end?.isText === true ? ", told as whole" : "");
}

function endsIn(output: string): ReadonlyMap<string, End> {
  const lines = output.split("\n").filter((line) => line.startsWith('{"column"'));
  return new Map(
    lines.map((line) => {
      const { column, ...end } = JSON.parse(line) as End & { readonly column: string };
      return [column, end];
    }),
  );
}
