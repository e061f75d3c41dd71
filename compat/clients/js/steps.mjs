// Shared by the scripts of clients: runs their steps on a model of each kind of upstream, and prints a line of JSON each.
import { spawn } from "node:child_process";

export const url = process.env.ATTUNE_URL;
export const key = process.env.ATTUNE_KEY;
const TEXT = "Grüße 🌍";
const KINDS = ["chat", "responses", "messages"];

/** Each step gets a model's name, and returns the text of the last answer and, if the client shows one, its id. */
export async function run(steps) {
  for (const kind of KINDS) {
    const model = `attune/${kind}-model`;
    for (const [step, act] of Object.entries(steps)) {
      const say = (held, note = "", rated = false) =>
        console.log(JSON.stringify({ model, step, held, rated, note: `${note}`.replaceAll("\n", " ") }));
      try {
        const { text, id } = await act(model);
        if (!`${text}`.includes(TEXT)) say(false, `the text is ${JSON.stringify(text)}`);
        else if (id !== undefined && !(await takesFeedback(id))) say(false, `no feedback by the id ${id}`);
        else say(true, "", id !== undefined);
      } catch (thrown) {
        say(false, thrown?.message ?? thrown);
      }
    }
  }
  process.exit(0);
}

async function takesFeedback(id) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify([{ id, feedback: { helpful: true } }]);
  const [result] = await (await fetch(`${url}/v1/feedback`, { method: "POST", headers, body })).json();
  return result?.error === null;
}

/** Runs a program of the package and returns what it prints. */
export async function print(command, args, env = {}) {
  const child = spawn(`node_modules/.bin/${command}`, args, {
    env: { ...process.env, ...env },
    timeout: 90_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`it ended with ${code}: ${output.slice(-300)}`);
  return output;
}
