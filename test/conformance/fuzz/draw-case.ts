import type { Step } from "../../support/scripted-upstream.ts";
import { PIECE } from "../plain-frames.ts";
import { INBOUND, type Inbound, type Topic, UPSTREAM_KINDS, type UpstreamKind } from "../topic.ts";
import { topics } from "../topics/index.ts";
import { drawText, pick } from "./draw-text.ts";

/** A request and what an upstream says to it. Both may be nonsense. */
export interface DrawnCase {
  readonly name: string;
  readonly inbound: Inbound;
  readonly kind: UpstreamKind;
  readonly request: object;
  /** An SSE body. */
  readonly streamed: string;
  /** A JSON body. */
  readonly whole: string;
}

/** Members whose texts say something to people: those of the request's form stay. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["text", "content", "instructions", "system", "input", "description", "title", "refusal", "delta"],
]);
/** What a member may hold by mistake. */
const WRONG: readonly unknown[] = [null, 7, -1.5, true, "", "x", [], {}, [[]], { type: "x" }];
/** Numbers that a double does not hold, or holds otherwise than they are written. */
const NUMBERS = ["12345678901234567890", "1.0", "1e2", "0.10000000000000000001", "-0.0", "1E+400", "9007199254740993"];

/** Draws a case. The same `random` draws the same one. */
export function drawCase(random: () => number): DrawnCase {
  const [asked, answered] = [pick(random, topics), pick(random, topics)];
  const [inbound, kind] = [pick(random, INBOUND), pick(random, UPSTREAM_KINDS)];
  const stream = random() < 0.6;
  // Mostly what was answered to this request: another answer may be one that nobody asked for.
  const { streamed, whole } = (random() < 0.7 ? asked : answered).upstreamAnswers[kind];
  return {
    name: `${asked.name}, answered as to ${answered.name}: ${inbound} to ${kind}`,
    inbound,
    kind,
    request: drawRequest(asked, inbound, { random, stream }),
    streamed: changeFrames(streamed, kind, random),
    whole: random() < 0.7 ? JSON.stringify(changeTexts(JSON.parse(whole), random)) : whole,
  };
}

function drawRequest(topic: Topic, inbound: Inbound, { random, stream }: { random: () => number; stream: boolean }) {
  const streamed = stream ? { ...topic.streamedRequests?.[inbound], stream } : {};
  const request = changeTexts({ ...topic.requests[inbound], ...streamed }, random) as Record<string, unknown>;
  const turns = inbound === "responses" ? "input" : "messages";
  if (random() < 0.3 && Array.isArray(request[turns])) {
    const said = Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
      role: "user",
      content: drawText(random),
    }));
    request[turns] = [...request[turns], ...said];
  }
  if (random() < 0.2) request[`x_${Math.floor(random() * 3)}`] = { text: drawText(random), number: drawNumber(random) };
  if (random() < 0.2) request["temperature"] = drawNumber(random);
  if (random() < 0.1) request[pick(random, Object.keys(request))] = pick(random, WRONG);
  return request;
}

/** A number as it is to be written: writeNumbers() takes the quotes away. */
function drawNumber(random: () => number): string {
  return random() < 0.5 ? `<number:${(random() * 1.2).toFixed(3)}>` : `<number:${pick(random, NUMBERS)}>`;
}

/** Writes the numbers that a request was drawn with. */
export function writeNumbers(json: string): string {
  return json.replace(/"<number:([^">]*)>"/g, "$1");
}

/** Draws another text in place of every third. */
function changeTexts(value: unknown, random: () => number, name = ""): unknown {
  if (typeof value === "string") return TEXTS.has(name) && random() < 0.3 ? drawText(random) : value;
  if (Array.isArray(value)) return value.map((item) => changeTexts(item, random, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, changeTexts(item, random, member)]));
}

/**
 * The events of a piece of text several times, each with another text. Some of them say something besides, known or
 * not: to say that again may mean something, so that these are not read as those are that bring text alone.
 */
function changeFrames(frames: string, kind: UpstreamKind, random: () => number): string {
  const times = Math.floor(random() * 8);
  const change = (frame: string, to: (event: unknown) => unknown) =>
    frame.replace(/^data: (\{.*)$/m, (_all, json: string) => `data: ${JSON.stringify(to(JSON.parse(json)))}`);
  return frames
    .split("\n\n")
    .flatMap((frame) => {
      if (!PIECE[kind].test(frame)) return [frame];
      const first = random() < 0.3 ? change(frame, (event) => addMember(event, random)) : frame;
      const others = Array.from({ length: times }, () => change(first, (event) => changeTexts(event, random)));
      return [frame, first, ...others];
    })
    .join("\n\n");
}

const BESIDES = [
  "finish_reason",
  "usage",
  "role",
  "refusal",
  "index",
  "logprobs",
  "annotations",
  "name",
  "id",
  "x_new",
];
const SAID: readonly unknown[] = [...WRONG, "stop", "assistant", 1, { total_tokens: 7 }, [{ a: 1 }], "tool_calls"];

/** Adds a member to an event, or to an object in it. */
function addMember(value: unknown, random: () => number): unknown {
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.keys(value).filter((name) => typeof Reflect.get(value, name) === "object");
  if (inner.length > 0 && (Array.isArray(value) || random() < 0.6)) {
    const name = pick(random, inner);
    const changed = addMember(Reflect.get(value, name), random);
    return Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
  }
  return Array.isArray(value) ? value : { ...value, [pick(random, BESIDES)]: pick(random, SAID) };
}

/** Cuts an SSE body into parts of whole events. */
export function cutBetween(frames: string, random: () => number): Step[] {
  const parts: string[] = [];
  let begun = "";
  for (const frame of frames.split(/(?<=\n\n)/)) {
    begun += frame;
    if (random() < 0.5) continue;
    parts.push(begun);
    begun = "";
  }
  return [...parts, begun];
}

/** Cuts a body anywhere, also within a character. */
export function cutAnywhere(body: string, random: () => number): Step[] {
  const bytes = Buffer.from(body);
  const cuts = Array.from({ length: Math.floor(random() * 12) }, () => Math.floor(random() * bytes.length));
  const ends = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
}
