import { ANSWER_HEADERS, REQUEST_HEADERS } from "../../src/openapi/headers.ts";
import { code, page, table } from "./markdown.ts";

function rows(
  headers: Readonly<Record<string, { readonly description: string; readonly example: string }>>,
): string[][] {
  return Object.entries(headers).map(([name, { description, example }]) => [code(name), description, code(example)]);
}

/** Returns the page of headers. */
export function headersPage(): string {
  return page("Headers", "`src/openapi/headers.ts`", [
    "The headers that Attune reads and sends. [The API](../api.md#headers) explains them. Those that begin with `attune-`, and " +
      "`idempotency-key`, also work as RPC metadata.",
    `## Request headers\n\n${table(["header", "effect", "example"], rows(REQUEST_HEADERS))}`,
    `## Response headers\n\n${table(["header", "meaning", "example"], rows(ANSWER_HEADERS))}`,
  ]);
}
