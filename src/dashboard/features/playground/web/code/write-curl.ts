import type { CodeRequest } from "./code-request.ts";

/** Writes a call as a line for a shell. */
export function writeCurl({ origin, path, workload, body }: CodeRequest): string {
  const streams = body["stream"] === true;
  const lines = [
    `curl -sS${streams ? "N" : ""} ${origin}${path}`,
    `  -H "authorization: Bearer $ATTUNE_KEY"`,
    `  -H "content-type: application/json"`,
    ...(workload === "" ? [] : [`  -H ${quote(`attune-workload: ${workload}`)}`]),
    `  -d ${quote(JSON.stringify(body, undefined, 2))}`,
  ];
  return lines.join(" \\\n");
}

/** In single quotes a shell takes everything as it is, but for the quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
