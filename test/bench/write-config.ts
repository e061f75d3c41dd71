import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the configuration of a measured service depends on. */
export interface BenchConfig {
  /** Where it is written, and the service keeps what is its own. */
  readonly folder: string;
  /** URL of the bench's upstream. */
  readonly upstream: string;
  /** URL of the database; a file of SQLite in the folder if absent. */
  readonly database?: string | undefined;
  readonly learning?: string | undefined;
  /** Share of the answers of which shadow trials are made; without it there is no judge. */
  readonly shadow?: string | undefined;
}

/** Writes the `attune.yaml` of a measured service. */
export function writeConfig({ folder, upstream, database, learning = "observe", shadow }: BenchConfig): void {
  const trials = shadow === undefined ? "" : `, shadow: { share: ${shadow}, judge: bench-judge, usdPerDay: 1000 }`;
  const text = `
server: { port: 0 }
database: { url: "${database ?? `sqlite:${join(folder, "attune.db")}`}" }
learning: { mode: ${learning}${trials} }
spool: { folder: "${join(folder, "spool")}" }
upstreams:
  up: { kind: openai-chat, baseUrl: "${upstream}" }
  up-paced: { kind: openai-chat, baseUrl: "${upstream}/paced" }
  up-held: { kind: openai-chat, baseUrl: "${upstream}/held" }
  up-streamed: { kind: openai-chat, baseUrl: "${upstream}", ask: stream }
models:
${model("bench", "up")}
${model("bench-streamed", "up-streamed")}
${model("bench-paced", "up-paced")}
${model("bench-held", "up-held")}
${model("bench-messages", "up", "messages")}
${shadow === undefined ? "" : model("bench-judge", "up")}
`;
  writeFileSync(join(folder, "attune.yaml"), text);
}

function model(name: string, upstream: string, family = "chat"): string {
  return `  - name: ${name}
    family: ${family}
    purpose: bench
    contextWindow: 100000
    maxOutputTokens: 4096
    price: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite5m: 1.5625, cacheWrite1h: 2.5 }
    deployments: [ { upstream: ${upstream}, model: bench } ]`;
}
