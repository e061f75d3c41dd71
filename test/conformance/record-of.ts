import { create, toJson } from "@bufbuild/protobuf";
import { GenerateResponseSchema, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { Store } from "../../src/store/types/store.ts";
import { readWhenWritten } from "../support/read-when-written.ts";

/** What no two inferences have in common: times, and what is drawn. */
const OWN: ReadonlySet<string> = new Set([
  ...["startedAt", "latencyMs", "timeToFirstTokenMs", "createdAt", "completedAt", "requestId"],
  ...["duration", "firstEventAfter", "startedAfter", "decision", "family"],
]);

/** Whether tokens are estimated: those of an answer by the time that it took, too. */
function isEstimated(value: unknown): value is { readonly usageEstimated: true } {
  return typeof value === "object" && value !== null && "usageEstimated" in value && value.usageEstimated === true;
}

/**
 * Reads what is recorded of an inference, but for what no two of them have in common; `same` says what is the same of
 * JSON that goes on as it came.
 */
export async function recordOf(
  store: Store,
  id: string,
  same: (json: string) => unknown = JSON.parse,
): Promise<unknown> {
  const { row, content } = await readWhenWritten(store, id);
  if (content === undefined) throw new Error(`${id} has no content`);
  const { dialect, echo, background, ...input } = content.input;
  const asked = toJson(InferenceInputSchema, create(InferenceInputSchema, input));
  const record = { row, dialect, echo, background, asked, answered: toJson(GenerateResponseSchema, content.output) };
  const common = JSON.stringify(record, (name, value: unknown) => {
    // It is kept with its blanks.
    if (name === "json" && typeof value === "string") return same(value);
    if (OWN.has(name)) return undefined;
    return isEstimated(value) ? { ...value, outputTokens: undefined } : value;
  });
  return JSON.parse(common.replaceAll(id, "<id>"));
}
