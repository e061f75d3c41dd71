import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { digestLastInput, upstreamItemIds } from "../../../hub/item-references.ts";
import { encodeRequest } from "../../../hub/request-bytes.ts";
import type { InferenceRecord } from "../../../inference/ports.ts";
import { encodeMessage } from "../../../lib/protobuf/encode-message.ts";
import type { BodyPolicy } from "../../bodies/body-policy.ts";
import { firstWords } from "../../bodies/first-words.ts";
import { redactInput, redactOutput } from "../../bodies/redact.ts";
import { itemName } from "../../entities/inference-item.ts";
import type { InferenceWrite, NamedItems } from "../../types/record-batch.ts";
import { storableText } from "../storable-text.ts";
import { recordToAttempts, recordToRow } from "./record-to-row.ts";

/**
 * Turns a record into what is written of it, by what its caller and its project keep of bodies; `onBroken` is told
 * where they cannot be encoded.
 */
export function recordToWrite(
  record: InferenceRecord,
  projectPolicy: BodyPolicy,
  onBroken: (error: unknown) => void,
): InferenceWrite {
  const policy = record.input.noTexts ? "none" : projectPolicy;
  // Without its texts an inference cannot be read or continued by its id, nor its answer given again.
  const row = recordToRow(policy === "full" ? record : { ...record, stored: false, coalescingKey: undefined });
  const attempts = recordToAttempts(record);
  if (policy === "none") return { row, attempts, request: undefined, response: undefined };
  try {
    const input = policy === "redacted" ? redactInput(record.input) : record.input;
    const output = policy === "redacted" ? redactOutput(record.output) : record.output;
    const request = encodeRequest(input);
    const { prompt, answer } = firstWords({ input, output });
    const words = [storableText(prompt), storableText(answer)] as const;
    const items = policy === "full" ? getItems(record) : undefined;
    return { row, attempts, request, response: encodeMessage(GenerateResponseSchema, output), words, items };
  } catch (error) {
    // Messages of an internal caller may break their own proto, such as a count of 1.5.
    onBroken(error);
    return { row, attempts, request: undefined, response: undefined };
  }
}

/** Returns the items to which clients may refer by the names that their upstream gave them. */
function getItems({ dialect, input, output }: InferenceRecord): NamedItems | undefined {
  const ids = dialect === Dialect.RESPONSES ? upstreamItemIds(output.content) : [];
  return ids.length === 0 ? undefined : { asked: digestLastInput(input.messages), names: ids.map(itemName) };
}
