import type { JsonObject } from "../../formats/shared/json.ts";

const DATA = "data: ";

/** Takes the events out of the text of a stream: the JSON of each. Comments and the last line of a stream are none. */
export function encodeFrames(stream: string): string[] {
  const frames: string[] = [];
  for (const line of stream.split("\n")) {
    if (line.startsWith("data: {")) frames.push(line.slice(DATA.length));
  }
  return frames;
}

/** Adds a member to the JSON text of an object. */
export function withMember(frame: string, name: string, value: JsonObject | Readonly<Record<string, string>>): string {
  return `${frame.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
}
