import { LINE_MEMBERS } from "../../src/observability/request-log.ts";
import { code, page, table } from "./markdown.ts";

/** Returns the page of the log. */
export function logPage(): string {
  return page("Request log", "`src/observability/request-log.ts`", [
    "Each request is logged as one line of JSON with the `msg` `request`. Unknown members are absent. For examples and " +
      "settings, see [operations](../operations.md#request-log).",
    table(
      ["member", "meaning"],
      Object.entries(LINE_MEMBERS).map(([name, meaning]) => [code(name), meaning]),
    ),
  ]);
}
