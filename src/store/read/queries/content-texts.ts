import { blockTexts } from "../../../hub/block-texts.ts";
import type { InferenceContent } from "../../types/inference-body.ts";

/** Yields what people wrote and read in an inference: no images, no signatures, nothing that only programs read. */
export function* contentTexts({ input, output }: InferenceContent): Generator<string> {
  yield* blockTexts(input.system);
  for (const message of input.messages) yield* blockTexts(message.content);
  yield* blockTexts(output.content);
  yield* Object.values(input.metadata);
}
