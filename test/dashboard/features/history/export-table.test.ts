import { expect, it } from "vitest";
import { exportTable } from "../../../../src/dashboard/features/history/export-table.ts";
import type { HistoryRow } from "../../../../src/store/dashboard/reads/describe-rows.ts";

const ROW = {
  id: "01a21e15-7ead-7227-adeb-3f759b443db0",
  startedAt: new Date(1_796_000_000_000),
  status: "completed",
  model: "standard",
  keyId: "key",
  inputTokens: 7,
  latencyMs: 10.258040000015171,
  prompt: "Hello, world",
  answer: "Hi",
  feedback: null,
} as unknown as HistoryRow;

it("writes latencies to the microsecond", async () => {
  const written = async (form: "csv" | "jsonl") => (await Array.fromAsync(exportTable(pages(), form))).join("");
  expect(JSON.parse(await written("jsonl"))).toMatchObject({ latency_ms: 10.258, prompt_tokens: 7 });
  expect(await written("csv")).toContain(',10.258,"Hello, world",Hi,0,0,0');
});

async function* pages(): AsyncGenerator<readonly HistoryRow[]> {
  yield [ROW];
}
