import { createDocument } from "./document.ts";

/** Returns the text of the OpenAPI document, as it is served, printed and kept in `docs/openapi.json`. */
export function openApiText(): string {
  return `${JSON.stringify(createDocument(), null, 2)}\n`;
}
