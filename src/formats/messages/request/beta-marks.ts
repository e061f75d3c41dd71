import { isJsonObject, type JsonObject } from "../../shared/json.ts";

/** Members of a request that Anthropic takes only with a mark, as the official SDK's list of marks names them. */
const MARKS: Readonly<Record<string, string>> = {
  context_management: "context-management-2025-06-27",
  mcp_servers: "mcp-client-2025-11-20",
};
const FAST_MODE = "fast-mode-2026-02-01";
const TASK_BUDGETS = "task-budgets-2026-03-13";

/** Returns the `anthropic-beta` marks that the caller asked for and that the members of a request call for. */
export function betaMarks(body: JsonObject, asked: readonly string[]): string[] {
  const needed = Object.keys(MARKS).flatMap((name) => (body[name] === undefined ? [] : (MARKS[name] ?? [])));
  if (body["speed"] === "fast") needed.push(FAST_MODE);
  const config = body["output_config"];
  if (isJsonObject(config) && config["task_budget"] !== undefined) needed.push(TASK_BUDGETS);
  return [...new Set([...asked, ...needed])];
}
