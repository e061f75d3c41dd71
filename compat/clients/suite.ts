import { startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { startTestService } from "../../test/support/service.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../../test/support/upstream-frames.ts";
import { type Language, runClient } from "../run-client.ts";
import { writePart } from "../write-part.ts";
import { CLIENTS } from "./clients.ts";
import { modelsYaml, scriptModels } from "./scripted-models.ts";

/** What a client's script prints of each step, one line of JSON each. */
interface Step {
  readonly model: string;
  readonly step: string;
  readonly held: boolean;
  /** True if feedback was sent by the id that the client shows. */
  readonly rated: boolean;
  readonly note: string;
}

/** How each language is named in the table, and where a client's script is. */
const LANGUAGES: Record<Language, { readonly label: string; readonly file: (name: string) => string }> = {
  js: { label: "JavaScript", file: (name) => `${name}.mjs` },
  python: { label: "Python", file: (name) => `try_${name.replaceAll("-", "_")}.py` },
  go: { label: "Go", file: (name) => `${name}.go` },
  java: {
    label: "Java",
    file: (name) => `Try${`-${name}`.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}.java`,
  },
  rust: { label: "Rust", file: (name) => `${name}.rs` },
};

const HEADINGS = ["client", "release", "steps", ...UPSTREAM_KINDS, "run on"];

/**
 * Runs clients against a service with an upstream of each kind; all of them if none is named. `openai` names the clients
 * of all languages, and `openai/go` that of one. Returns whether all held.
 */
export async function run(names: readonly string[]): Promise<boolean> {
  const clients = CLIENTS.filter(
    ({ name, language }) => names.length === 0 || names.includes(name) || names.includes(`${name}/${language}`),
  );
  if (clients.length === 0) throw new Error(`there are ${[...new Set(CLIENTS.map(({ name }) => name))].join(", ")}`);
  const upstream = await startScriptedUpstream();
  scriptModels(upstream);
  const service = await startTestService({ yaml: modelsYaml(upstream.url) });
  let held = true;
  for (const client of clients) {
    const { label, file } = LANGUAGES[client.language];
    const script = { ...client, scripts: import.meta.dirname, command: [file(client.name)] };
    const steps = stepsIn(await runClient(script, { ATTUNE_URL: service.url, ATTUNE_KEY: service.key }));
    for (const { model, step, held, note } of steps)
      console.log(held ? "held" : "FAILED", client.name, model, step, note);
    held &&= steps.length > 0 && steps.every((each) => each.held);
    // What could not be installed or did not start says nothing of the client.
    if (steps.length === 0) continue;
    const today = new Date().toISOString().slice(0, 10);
    const name = `${client.name} (${label})`;
    const cells = UPSTREAM_KINDS.map((kind) => cellOf(steps, kind));
    const row = [name, client.packages[0] ?? "", stepsOf(steps), ...cells, today];
    writePart({ suite: "clients", headings: HEADINGS, rows: [row] });
  }
  await service.close();
  await upstream.close();
  return held;
}

/** Names the steps; those without feedback are marked. */
function stepsOf(steps: readonly Step[]): string {
  const rated = new Map(steps.map(({ step }) => [step, steps.some((each) => each.step === step && each.rated)]));
  return [...rated].map(([step, isRated]) => (isRated ? step : `${step}*`)).join(", ");
}

function cellOf(steps: readonly Step[], kind: UpstreamKind): string {
  const own = steps.filter(({ model }) => model.endsWith(`/${kind}-model`));
  const bad = own.filter(({ held }) => !held).map(({ step, note }) => `${step}: ${note.slice(0, 120)}`);
  return [`${own.length - bad.length} of ${own.length}`, ...bad].join("; ");
}

function stepsIn(output: string): readonly Step[] {
  return output.split("\n").flatMap((line) => (line.startsWith('{"model"') ? [JSON.parse(line) as Step] : []));
}
