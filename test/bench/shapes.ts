import { Random } from "../../scripts/seed/random.ts";
import type { GatewayRoute } from "./measured-process.ts";

/** A kind of request of the bench. */
export interface Shape {
  readonly name: string;
  /** Path of the format that Attune is asked in. */
  readonly path: string;
  /** What Attune is asked. */
  readonly body: string;
  /** What the pipe is asked, which is what Attune asks its upstream: both read the same bytes. */
  readonly pipeBody: string;
  /** What the pipe is asked at, which is where Attune asks its upstream. */
  readonly pipePath: string;
  /** Callers at the same time, where the shape needs more of them than others. */
  readonly connections?: number;
  /** The shapes that are asked by turns, where it is several. */
  readonly turns?: readonly Shape[];
}

/** A request of the load. */
export interface ShapeRequest {
  readonly path: string;
  readonly body: string;
}

/** Returns what a service, the pipe, which has no key, or another gateway is asked by turns. */
export function requestsOf(
  shape: Shape,
  target: { readonly key: string; readonly gateway?: GatewayRoute },
): readonly ShapeRequest[] {
  if (shape.turns !== undefined) return shape.turns.flatMap((turn) => requestsOf(turn, target));
  const { path, body, pipePath, pipeBody } = shape;
  const { key, gateway } = target;
  if (gateway !== undefined)
    return [{ path: gateway.path + pipePath, body: JSON.stringify({ ...JSON.parse(pipeBody), model: gateway.model }) }];
  return [key === "" ? { path: pipePath, body: pipeBody } : { path, body }];
}

const SENTENCE = "All of this text stands for a prompt of ordinary length. ";
const CHAT = "/v1/chat/completions";
const ask = (content: string) => ({ messages: [{ role: "user", content }] });
const short = ask(SENTENCE.repeat(16));

/** Returns a text that compresses as prose does: to some two fifths. */
function prose(characters: number): string {
  const random = new Random(1);
  const letter = () => String.fromCharCode(97 + Math.floor(random.next() ** 1.5 * 26));
  const words = Array.from({ length: 3000 }, () => Array.from({ length: 2 + random.below(8) }, letter).join(""));
  let text = "";
  while (text.length < characters) text += `${words[Math.floor(random.next() ** 2 * words.length)]} `;
  return text.slice(0, characters);
}

const FILE = `import { readFile } from "node:fs/promises";

/** Reads the names of a file, one a line, of at most 64 characters. */
export async function readNames(path: string): Promise<string[]> {
  const text = await readFile(path, "utf8");
  return text.split("\\n").map((line) => line.trim()).filter((line) => line !== "" && line.length <= 64);
}
`;

/** What an agent sends after so many steps of its work: tools, and what they have said of the files of a project. */
function agentPrompt(stepsSoFar = 14) {
  const path = { type: "string", description: "Path below the folder of the project" };
  const limit = { type: "integer", minimum: 1, maximum: 2000, description: "Most lines" };
  const parameters = { type: "object", properties: { path, limit }, required: ["path"], additionalProperties: false };
  const tools = Array.from({ length: 20 }, (_, at) => ({
    type: "function",
    function: { name: `tool_${at}`, description: SENTENCE, parameters },
  }));
  const steps = Array.from({ length: stepsSoFar }, (_, at) => {
    const call = { name: "tool_0", arguments: JSON.stringify({ path: `src/names-${at}.ts`, limit: 200 }) };
    const tool_calls = [{ id: `call_${at}`, type: "function", function: call }];
    return [
      { role: "assistant", content: SENTENCE.repeat(2), tool_calls },
      { role: "tool", tool_call_id: `call_${at}`, content: FILE.repeat(3) },
    ];
  });
  const opening = [
    { role: "system", content: SENTENCE.repeat(30) },
    { role: "user", content: SENTENCE },
  ];
  return { tools, messages: [...opening, ...steps.flat()] };
}

interface Variant {
  readonly path?: string;
  readonly model?: string;
  /** What Attune is asked besides. */
  readonly asks?: object;
  /** What Attune asks its upstream besides, where that is not the same. */
  readonly upstreamAsks?: object;
  readonly upstreamPath?: string;
  readonly connections?: number;
}

function shape(name: string, asked: object, variant: Variant = {}): Shape {
  const { path = CHAT, model = "bench", asks = {}, upstreamAsks = asks, upstreamPath = "", connections } = variant;
  return {
    name,
    path,
    body: JSON.stringify({ model: `attune/${model}`, ...asked, ...asks }),
    pipeBody: JSON.stringify({ model, ...asked, ...upstreamAsks }),
    pipePath: `${upstreamPath}/chat/completions`,
    ...(connections !== undefined && { connections }),
  };
}

/** Streams as quick as a model writes. */
const paced: Variant = {
  model: "bench-paced",
  asks: { stream: true },
  upstreamPath: "/paced",
  connections: 256,
};
const UNARY = shape("unary", short);
const STREAM = shape("stream of 64 chunks", short, { asks: { stream: true } });
const AGENT = shape("agent's prompt of 32 KB", agentPrompt());
const MESSAGES = shape("unary in another format", short, {
  path: "/v1/messages",
  model: "bench-messages",
  asks: { max_tokens: 1000 },
});

export const SHAPES: readonly Shape[] = [
  UNARY,
  STREAM,
  shape("stream of 64 chunks at 50 a second", short, paced),
  shape("agent's prompt of 256 KB, 64 chunks at 50 a second", agentPrompt(175), { ...paced, connections: 64 }),
  shape("unary, upstream asked for a stream", short, { model: "bench-streamed", upstreamAsks: { stream: true } }),
  shape("prompt of 32 KB", ask(SENTENCE.repeat(570))),
  shape("prose of 2 KB", ask(prose(1800))),
  shape("prose of 32 KB", ask(prose(32_000))),
  AGENT,
  MESSAGES,
];

/** The shapes by turns, as a service of several applications gets them. */
export const MIXED: Shape = { ...UNARY, name: "mixed", turns: [UNARY, STREAM, AGENT, MESSAGES] };

/** Streams that say one word and then nothing: see `npm run bench:idle`. */
const held: Variant = { model: "bench-held", asks: { stream: true }, upstreamPath: "/held" };
export const HELD_SHAPES: readonly Shape[] = [
  shape("prompt of 1 KB", short, held),
  shape("agent's prompt of 32 KB", agentPrompt(), held),
  shape("agent's prompt of 256 KB", agentPrompt(175), held),
];
