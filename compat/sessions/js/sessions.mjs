// `node sessions.mjs AGENT [SCENE]`: has an agent play its scenes on a model of each kind of upstream, and prints of each, as a line
// of JSON, whether the model saw at the end what it had to.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { AGENTS } from "./agents.mjs";

const KINDS = ["chat", "responses", "messages"];
const LIMIT_MS = 120_000;
/** Scenes at once: agents start with seconds of work. */
const AT_ONCE = 2;

const [name, only] = process.argv.slice(2);
const agent = AGENTS[name];

/** Has the agent take a turn, and returns what it prints. */
async function turn(stage, { scene, model = stage.model, killedBy, ...more }) {
  const { home, folder } = stage;
  const prompt = `[[${scene} ${folder}]] Go on.`;
  const { args, env = {} } = agent.start({ home, model, prompt, ...more });
  const [command, ...rest] = args;
  const child = spawn(resolve("node_modules/.bin", command), rest, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const end = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {}
  };
  const late = setTimeout(end, LIMIT_MS);
  const watch = setInterval(() => killedBy !== undefined && existsSync(`${folder}/${killedBy}`) && end(), 200);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise((done) => child.on("close", done));
  clearTimeout(late);
  clearInterval(watch);
  if (killedBy === undefined && code !== 0) throw new Error(`it ended with ${code}: ${output.slice(-600)}`);
  if (killedBy !== undefined && !existsSync(`${folder}/${killedBy}`))
    throw new Error(`it ended: ${output.slice(-600)}`);
  return output;
}

/** Each returns the last turn's output and the marks that the model had to see. */
const SCENES = {
  edits: async (stage) => ({ output: await turn(stage, { scene: "edits" }), marks: ["edited"] }),
  async killed(stage) {
    await turn(stage, { scene: "killed", killedBy: "waiting" });
    const model = agent.names[KINDS[(KINDS.indexOf(stage.kind) + 1) % KINDS.length]];
    return { output: await turn(stage, { scene: "after", isResumed: true, model }), marks: ["first", "after"] };
  },
  async compaction(stage) {
    await turn(stage, { scene: "long" });
    return { output: await turn(stage, { scene: "after", isResumed: true }), marks: ["summary", "after"] };
  },
  mcp: async (stage) => ({ output: await turn(stage, { scene: "mcp" }), marks: ["probe"] }),
  subagent: async (stage) => ({ output: await turn(stage, { scene: "subagent" }), marks: ["child"] }),
  async picture(stage) {
    const picture = `${stage.folder}/picture.png`;
    copyFileSync("picture.png", picture);
    const scene = agent.reads ? { scene: "look" } : { scene: "picture", picture };
    return { output: await turn(stage, scene), marks: ["picture"] };
  },
  search: async (stage) => ({ output: await turn(stage, { scene: "search" }), marks: ["web"] }),
};

async function play(kind, scene) {
  const home = resolve(`play-${process.pid}-${name.replaceAll(/\W+/g, "-")}-${kind}-${scene}`);
  const folder = `${home}/work`;
  mkdirSync(folder, { recursive: true });
  agent.prepare(home);
  const model = agent.names[kind];
  try {
    const { output, marks } = await SCENES[scene]({ home, folder, kind, model });
    const seen =
      [...output.matchAll(/seen\(([a-z,]*)\)/g)].at(-1)?.[1].split(",") ??
      [...output.matchAll(/saw-([a-z]+)/g)].map(([, mark]) => mark);
    const missing = marks.filter((mark) => !seen.includes(mark));
    return { held: missing.length === 0, note: missing.length === 0 ? "" : `it saw ${seen} in ${output.slice(-600)}` };
  } catch (thrown) {
    return { held: false, note: thrown.message };
  }
}

// Chat has no search that a server runs: Attune refuses it, or names it where there are other tools.
const waiting = KINDS.flatMap((kind) => agent.scenes.map((scene) => ({ kind, scene }))).filter(
  ({ scene, kind }) =>
    (only === undefined || only === scene || only === `${kind}/${scene}`) && !(kind === "chat" && scene === "search"),
);
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const end = await play(next.kind, next.scene);
      console.log(JSON.stringify({ kind: next.kind, scene: next.scene, ...end }));
    }
  }),
);
process.exit(0);
