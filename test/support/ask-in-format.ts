import { bodyOf, PATH } from "./sdk-calls.ts";
import type { TestService } from "./service.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "./upstream-frames.ts";

/** Members that offer a tool. */
export const withTool = (format: UpstreamKind, parameters: object, strict: boolean): object =>
  ({
    chat: { tools: [{ type: "function", function: { name: "get_weather", parameters, strict } }] },
    responses: { tools: [{ type: "function", name: "get_weather", parameters, strict }] },
    messages: { tools: [{ name: "get_weather", input_schema: parameters, strict }] },
  })[format];

/** Each format, whole and streamed. */
export const FORMATS_AND_WAYS = UPSTREAM_KINDS.flatMap((format) => [false, true].map((stream) => ({ format, stream })));

/** A request in a format. */
export interface Asked {
  readonly format: UpstreamKind;
  readonly model: string;
  readonly members: object;
  readonly stream?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Is told all that has come of the body, whenever more comes. */
  readonly onBody?: (soFar: string) => void;
}

/** Asks a service over HTTP, and reads what the answer says. */
export async function askInFormat(
  service: Pick<TestService, "url" | "headers">,
  { format, model, members, stream = false, headers = {}, onBody }: Asked,
) {
  const startMs = performance.now();
  const response = await fetch(`${service.url}${PATH[format]}`, {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: JSON.stringify({ ...bodyOf(format, `attune/${model}`), ...members, stream }),
  });
  let body = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    body += piece;
    onBody?.(body);
  }
  const tookMs = performance.now() - startMs;
  const said = (name: string): string => response.headers.get(name) ?? commented(name, body);
  const [optimizations, deviation] = [said("attune-optimizations"), said("attune-deviation")];
  return { status: response.status, body, tookMs, optimizations, deviation, text: textOf(format, body, stream) };
}

/** What came too late for a header. */
const commented = (name: string, body: string): string => new RegExp(`^: ${name}: (.*)$`, "m").exec(body)?.[1] ?? "";

/** The answer's text, as a client of the format reads it. */
export function textOf(format: UpstreamKind, body: string, stream: boolean): string {
  const parse = (text: string) => JSON.parse(text);
  if (!stream) {
    const answer = parse(body);
    if (format === "chat") return answer.choices?.[0].message.content ?? "";
    const parts =
      format === "messages" ? answer.content : answer.output?.flatMap((item: { content?: [] }) => item.content ?? []);
    return parts?.map((part: { text?: string }) => part.text ?? "").join("") ?? "";
  }
  const events = body.split("\n").flatMap((line) => (line.startsWith("data: {") ? [parse(line.slice(6))] : []));
  const pieces = {
    chat: (event: { choices?: { delta: { content?: string } }[] }) => event.choices?.[0]?.delta.content,
    responses: (event: { type: string; delta?: string }) =>
      event.type === "response.output_text.delta" ? event.delta : undefined,
    messages: (event: { delta?: { text?: string } }) => event.delta?.text,
  }[format];
  return events.map((event) => pieces(event) ?? "").join("");
}

/** The inference's id, as the answer has it. */
export const idOf = (body: string): string => {
  const [, id = ""] = /([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})/.exec(body) ?? [];
  return id;
};
