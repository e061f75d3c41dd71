import type { ContentBlock } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceContent } from "../../types/inference-body.ts";

/** Yields what people wrote and read in an inference: no images, no signatures, nothing that only programs read. */
export function* contentTexts({ input, output }: InferenceContent): Generator<string> {
  yield* blockTexts(input.system);
  for (const message of input.messages) yield* blockTexts(message.content);
  yield* blockTexts(output.content);
  yield* Object.values(input.metadata);
}

function* blockTexts(blocks: readonly ContentBlock[]): Generator<string> {
  for (const { kind } of blocks) {
    switch (kind.case) {
      case "text":
      case "refusal":
        yield kind.value.text;
        break;
      case "thinking":
        yield kind.value.text;
        yield* kind.value.summary;
        break;
      case "toolUse":
        yield kind.value.name;
        yield kind.value.arguments;
        break;
      case "toolResult":
        yield* blockTexts(kind.value.content);
        break;
      case "document":
        yield kind.value.title ?? "";
        if (kind.value.source.case === "text") yield kind.value.source.value;
        if (kind.value.source.case === "content") yield* blockTexts(kind.value.source.value.blocks);
        break;
      case "opaque":
        yield kind.value.json;
        break;
    }
  }
}
