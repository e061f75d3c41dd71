import type { Format } from "../../support/sdk-calls.ts";

/** Arguments that the tools of these tests take. */
export const PARAMETERS = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;

/** Tools of these names, as a format writes them. */
export function toolsIn(format: Format, ...names: readonly string[]): object[] {
  const write: Record<Format, (name: string) => object> = {
    chat: (name) => ({ type: "function", function: { name, parameters: PARAMETERS } }),
    responses: (name) => ({ type: "function", name, parameters: PARAMETERS, strict: false }),
    messages: (name) => ({ name, input_schema: PARAMETERS }),
  };
  return names.map(write[format]);
}

/** A conversation of one text of the user, as a format writes it. */
export function promptIn(format: Format, content: unknown): object {
  return { [format === "responses" ? "input" : "messages"]: [{ role: "user", content }] };
}
