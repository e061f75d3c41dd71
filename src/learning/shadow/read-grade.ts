/** A judge may put its JSON into a fence of code, and nothing else. */
const FENCE = /^```(?:json)?\s*\n([\s\S]*?)\n\s*```$/;

/** Reads a judge's reply: true if it says satisfactory; undefined for what is not exactly what it was asked for. */
export function readGrade(reply: string): boolean | undefined {
  const trimmed = reply.trim();
  const said = parse(FENCE.exec(trimmed)?.[1] ?? trimmed);
  if (typeof said !== "object" || said === null || !("satisfactory" in said)) return undefined;
  const { satisfactory } = said;
  if ("reason" in said && typeof said.reason !== "string") return undefined;
  return typeof satisfactory === "boolean" ? satisfactory : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
