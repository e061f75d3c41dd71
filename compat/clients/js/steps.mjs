// Shared by the scripts of clients: runs their steps on a model of each kind of upstream, and prints a line of JSON each.
import { spawn } from "node:child_process";

export const url = process.env.ATTUNE_URL;
export const key = process.env.ATTUNE_KEY;
const TEXT = "Grüße 🌍";
const KINDS = ["chat", "responses", "messages"];

/** Steps that are tried on models that fail too. */
const PLAIN = ["chat", "responses", "messages", "compatible", "a loop with its shell"];
const FAILURES = [
  ["error", "refused"],
  ["429", "limited"],
];
/** What upstreams say that fail. */
const REASON = "the oracle of Oslo";

/** Each step gets a model's name, and returns the text of the last answer and, if the client shows one, its id. */
export async function run(steps) {
  for (const kind of KINDS) {
    const model = `attune/${kind}-model`;
    for (const [step, act] of Object.entries(steps)) printLine(model, step, await attempt(() => act(model)));
    for (const [step, act] of Object.entries(steps).filter(([name]) => PLAIN.includes(name))) {
      for (const [failure, way] of FAILURES) {
        printLine(model, `${step} ${failure}`, await fail(() => act(`attune/${kind}-${way}-model`)));
      }
    }
  }
  process.exit(0);
}

function printLine(model, step, { held, note = "", rated = false }) {
  console.log(JSON.stringify({ model, step, held, rated, note: `${note}`.replaceAll("\n", " ") }));
}

async function attempt(act) {
  try {
    const { text, id } = await act();
    if (!`${text}`.includes(TEXT)) return { held: false, note: `the text is ${JSON.stringify(text)}` };
    if (id === undefined) return { held: true };
    return (await takesFeedback(id))
      ? { held: true, rated: true }
      : { held: false, note: `no feedback by the id ${id}` };
  } catch (thrown) {
    return { held: false, note: thrown?.message ?? thrown };
  }
}

/** A call has to fail, with the upstream's reason. */
async function fail(act) {
  try {
    const { text } = await act();
    return { held: false, note: `it did not fail: ${JSON.stringify(text)}` };
  } catch (thrown) {
    const note = `${thrown?.message ?? thrown} ${thrown?.cause ?? ""}`;
    return note.includes(REASON)
      ? { held: true, rated: true }
      : { held: false, note: `the reason is not in ${note.trim().slice(-120)}` };
  }
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
  if (code !== 0) throw new Error(`it ended with ${code}: ${output.slice(-2000)}`);
  return output;
}
