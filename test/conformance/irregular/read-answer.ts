import type { Outcome } from "../harness.ts";
import type { Inbound } from "../topic.ts";

/** What a client makes of an answer. */
export interface ReadAnswer {
  text: string;
  /** The text of each call's arguments, by the name of the tool. */
  readonly calls: [name: string, text: string][];
  /** `finish_reason`, `status` or `stop_reason`. */
  finish: unknown;
  usage: Record<string, unknown>;
}

type Json = Record<string, unknown>;

/** Reads an answer of each format, streamed or whole, as its clients do. */
export function readAnswer(inbound: Inbound, outcome: Pick<Outcome, "body">): ReadAnswer {
  const body = outcome.body.replaceAll(/<(?:estimate|created)>/g, "1");
  const events = body.split("\n\n").flatMap((frame) => /^data: (\{.*)$/m.exec(frame)?.[1] ?? []);
  if (events.length === 0) return readWhole(inbound, JSON.parse(body));
  return readStream(
    inbound,
    events.map((data) => JSON.parse(data)),
  );
}

function readWhole(inbound: Inbound, body: Json): ReadAnswer {
  const read: ReadAnswer = { text: "", calls: [], finish: undefined, usage: (body.usage ?? {}) as Json };
  if (inbound === "chat") {
    const [choice] = body.choices as { message: Json; finish_reason: unknown }[];
    read.text = String(choice?.message.content ?? "");
    read.finish = choice?.finish_reason;
    for (const { function: called } of (choice?.message.tool_calls ?? []) as { function: Json }[])
      read.calls.push([String(called.name), String(called.arguments)]);
  } else if (inbound === "responses") {
    read.finish = body.status;
    for (const item of body.output as Json[]) {
      if (item.type === "function_call") read.calls.push([String(item.name), String(item.arguments)]);
      else if (item.type === "message") for (const part of item.content as Json[]) read.text += String(part.text ?? "");
    }
  } else {
    read.finish = body.stop_reason;
    for (const block of body.content as Json[]) {
      if (block.type === "tool_use") read.calls.push([String(block.name), JSON.stringify(block.input)]);
      else read.text += String(block.text ?? "");
    }
  }
  return read;
}

function readStream(inbound: Inbound, events: readonly Json[]): ReadAnswer {
  if (inbound === "responses") return readWhole(inbound, events.at(-1)?.response as Json);
  const read: ReadAnswer = { text: "", calls: [], finish: undefined, usage: {} };
  for (const event of events) {
    if (inbound === "chat") readChunk(event, read);
    else readEvent(event, read);
  }
  return read;
}

function readChunk({ choices, usage }: Json, read: ReadAnswer): void {
  Object.assign(read.usage, usage);
  for (const { delta, finish_reason: finish } of choices as { delta: Json; finish_reason: unknown }[]) {
    read.text += String(delta.content ?? "");
    read.finish = finish ?? read.finish;
    for (const { index, function: called } of (delta.tool_calls ?? []) as { index: number; function: Json }[]) {
      read.calls[index] ??= [String(called.name), ""];
      const call = read.calls[index];
      call[1] += String(called.arguments ?? "");
    }
  }
}

function readEvent(event: Json, read: ReadAnswer): void {
  const { message, content_block: block, delta, usage } = event as Record<string, Json | undefined>;
  Object.assign(read.usage, message?.usage, usage);
  if (block?.type === "tool_use") read.calls.push([String(block.name), ""]);
  if (delta?.text !== undefined) read.text += String(delta.text);
  const call = read.calls.at(-1);
  if (delta?.partial_json !== undefined && call !== undefined) call[1] += String(delta.partial_json);
  read.finish = delta?.stop_reason ?? read.finish;
}
