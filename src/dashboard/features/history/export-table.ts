import { encodeCsv } from "../../../lib/csv.ts";
import type { HistoryRow } from "../../../store/dashboard/reads/describe-rows.ts";
import { nanosToUsd } from "../../../vocabulary/money.ts";
import { describeRequest } from "./describe-request.ts";

type Cell = string | number | null | undefined;

/** The columns, in their order. */
const COLUMNS: Readonly<Record<string, (request: ReturnType<typeof describeRequest>) => Cell>> = {
  id: ({ id }) => id,
  started_at: ({ startedAt }) => startedAt.toISOString(),
  status: ({ status }) => status,
  error_reason: ({ errorReason }) => errorReason,
  model: ({ model }) => model,
  served_model: ({ servedModel }) => servedModel,
  key_id: ({ keyId }) => keyId,
  workload: ({ workload }) => workload,
  session_id: ({ sessionId }) => sessionId,
  end_user_id: ({ endUserId }) => endUserId,
  tags: ({ tags }) => tags && JSON.stringify(tags),
  prompt_tokens: ({ promptTokens }) => promptTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  cost_usd: ({ costNanos }) => (costNanos == null ? null : nanosToUsd(costNanos)),
  cost_gaps: ({ costGaps }) => costGaps.join("; "),
  // To the microsecond: sums of times have digits that say nothing.
  latency_ms: ({ latencyMs }) => Math.round(latencyMs * 1000) / 1000,
  prompt: ({ prompt }) => prompt,
  answer: ({ answer }) => answer,
  feedback_good: ({ feedback }) => feedback?.good ?? 0,
  feedback_bad: ({ feedback }) => feedback?.bad ?? 0,
  feedback_others: ({ feedback }) => feedback?.others ?? 0,
};
const NAMES = Object.keys(COLUMNS);

/** Forms of a table: CSV with a heading, or an object a line with the same columns. */
export type TableForm = "csv" | "jsonl";

/**
 * Writes requests as a table: their facts, the first words of prompt and answer, and counts of feedback. Each column
 * has one type, or is empty.
 */
export async function* exportTable(
  pages: AsyncIterable<readonly HistoryRow[]>,
  form: TableForm,
): AsyncGenerator<string> {
  const heading = encodeCsv(NAMES, []);
  if (form === "csv") yield heading;
  for await (const page of pages) {
    const rows = page.map(toCells);
    yield form === "csv" ? encodeCsv(NAMES, rows).slice(heading.length) : rows.map(toLine).join("");
  }
}

function toCells(row: HistoryRow) {
  const request = describeRequest(row);
  return Object.fromEntries(Object.entries(COLUMNS).map(([name, cell]) => [name, cell(request) ?? null]));
}

/** CSV has costs without an exponent, JSON as numbers. */
function toLine(row: ReturnType<typeof toCells>): string {
  const cost = row["cost_usd"] ?? null;
  return `${JSON.stringify({ ...row, cost_usd: cost === null ? null : Number(cost) })}\n`;
}
