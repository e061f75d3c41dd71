import { startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { startTestService } from "../../test/support/service.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../../test/support/upstream-frames.ts";
import { modelsYaml } from "../clients/scripted-models.ts";
import { runClient } from "../run-client.ts";
import { writePart } from "../write-part.ts";
import { playModels } from "./play-models.ts";

/** An agent and the formats that it speaks: its sessions in js/agents.mjs. */
interface SessionAgent {
  readonly name: string;
  readonly release: string;
  /** What else is installed. */
  readonly more?: readonly string[];
  /** Its names in js/agents.mjs. */
  readonly plays: readonly string[];
}

const AGENTS: readonly SessionAgent[] = [
  { name: "claude-code", release: "@anthropic-ai/claude-code@2.1.332", plays: ["claude-code"] },
  {
    name: "claude-agent-sdk",
    release: "@anthropic-ai/claude-agent-sdk@0.3.332",
    more: ["zod@4"],
    plays: ["claude-agent-sdk"],
  },
  { name: "codex", release: "@openai/codex@0.171.0", plays: ["codex", "codex, names that it knows"] },
  {
    name: "opencode",
    release: "opencode-ai@1.18.33",
    plays: ["opencode, chat", "opencode, responses", "opencode, messages"],
  },
  {
    name: "pi",
    release: "@earendil-works/pi-coding-agent@1.6.0",
    plays: ["pi, chat", "pi, responses", "pi, messages"],
  },
  {
    name: "qwen-code",
    release: "@qwen-code/qwen-code@0.24.4",
    plays: ["qwen-code, chat", "qwen-code, responses", "qwen-code, messages"],
  },
  { name: "goose", release: "@aaif/goose@0.20.1", plays: ["goose, chat", "goose, messages"] },
];

/** What a session's script prints of each scene. */
interface Scene {
  readonly kind: UpstreamKind;
  readonly scene: string;
  readonly held: boolean;
  readonly note: string;
}

const HEADINGS = ["agent", "release", "scenes", ...UPSTREAM_KINDS, "run on"];

/** Models that Codex knows by name. */
const KNOWN: Readonly<Record<UpstreamKind, string>> = {
  chat: "gpt-6-astra",
  responses: "gpt-5.6-sol",
  messages: "gpt-6.2-sol",
};

/**
 * Has agents play scenes on models of each kind of upstream that check what they get; all agents if none is named. A
 * name `AGENT/SCENE` or `AGENT/KIND/SCENE` plays one scene and writes nothing. Returns whether all held.
 */
export async function run(names: readonly string[]): Promise<boolean> {
  const [first = "", ...scene] = (names[0] ?? "").split("/");
  const chosen = scene.length > 0 ? [first] : names;
  const agents = AGENTS.filter(
    ({ name, plays }) => chosen.length === 0 || chosen.includes(name) || chosen.some((each) => plays.includes(each)),
  );
  if (agents.length === 0) throw new Error(`there are ${AGENTS.map(({ name }) => name).join(", ")}`);
  const upstream = await startScriptedUpstream();
  playModels(upstream);
  const service = await startTestService({ yaml: modelsYaml(upstream.url, KNOWN) });
  const environment = { ATTUNE_URL: service.url, ATTUNE_KEY: service.key };
  let held = true;
  for (const { name, release, more = [], plays } of agents) {
    for (const play of plays) {
      if (chosen.length > 0 && !chosen.includes(name) && !chosen.includes(play)) continue;
      const command = ["sessions.mjs", play, ...(scene.length > 0 ? [scene.join("/")] : [])];
      const script = {
        name,
        language: "js" as const,
        packages: [release, ...more],
        scripts: import.meta.dirname,
        command,
      };
      const scenes = scenesIn(await runClient(script, environment));
      for (const { kind, scene, held, note } of scenes) console.log(held ? "held" : "FAILED", play, kind, scene, note);
      held &&= scenes.length > 0 && scenes.every((each) => each.held);
      if (scenes.length === 0 || scene.length > 0) continue;
      const cells = UPSTREAM_KINDS.map((kind) => cellOf(scenes.filter((each) => each.kind === kind)));
      const tried = [...new Set(scenes.map(({ scene }) => scene))].sort().join(", ");
      const row = [play, release, tried, ...cells, new Date().toISOString().slice(0, 10)];
      writePart({ suite: "sessions", headings: HEADINGS, rows: [row] });
    }
  }
  await service.close();
  await upstream.close();
  return held;
}

function cellOf(scenes: readonly Scene[]): string {
  const bad = scenes.filter(({ held }) => !held).map(({ scene }) => scene);
  return `${scenes.length - bad.length} of ${scenes.length}${bad.length === 0 ? "" : `, not ${bad.sort().join(", ")}`}`;
}

function scenesIn(output: string): readonly Scene[] {
  return output.split("\n").flatMap((line) => (line.startsWith('{"kind"') ? [JSON.parse(line) as Scene] : []));
}
