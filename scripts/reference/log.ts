import { LINE_MEMBERS } from "../../src/observability/request-log.ts";
import { code, page, table } from "./markdown.ts";

/** Returns the page of the log. */
export function logPage(): string {
  return page("The line of a request in the log", "`src/observability/request-log.ts`", [
    "Each request has one line of JSON, whose `msg` is `request`. Members that are not known are absent. " +
      "[Operations](../operations.md#one-line-a-request) says more.",
    table(
      ["member", "meaning"],
      Object.entries(LINE_MEMBERS).map(([name, meaning]) => [code(name), meaning]),
    ),
  ]);
}
