import type { FormatName } from "../draft.ts";
import type { JsonObject } from "../formats/json.ts";

/** A call that is written down as code. */
export interface CodeRequest {
  /** Address of this service: http://localhost:8080. */
  readonly origin: string;
  readonly format: FormatName;
  /** Address of the route. */
  readonly path: string;
  readonly workload: string;
  readonly body: JsonObject;
}

/** Returns a text whose lines after the first are moved to the right by so many spaces. */
export function moved(text: string, indent: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(indent)}`);
}
