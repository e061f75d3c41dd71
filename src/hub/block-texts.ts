import type { ContentBlock } from "../../gen/attune/content/v1/content_pb.ts";

/** Yields what people and models wrote in blocks; `named` adds the names of called tools. */
export function* blockTexts(blocks: readonly ContentBlock[], named = true): Generator<string> {
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
        if (named) yield kind.value.name;
        yield kind.value.arguments;
        break;
      case "toolResult":
        yield* blockTexts(kind.value.content, named);
        break;
      case "document":
        yield kind.value.title ?? "";
        if (kind.value.source.case === "text") yield kind.value.source.value;
        if (kind.value.source.case === "content") yield* blockTexts(kind.value.source.value.blocks, named);
        break;
      case "opaque":
        yield kind.value.json;
        break;
    }
  }
}
