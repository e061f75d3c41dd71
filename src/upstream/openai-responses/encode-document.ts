import type { DocumentBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import { dataUrl } from "../../wire/data-url.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { EncodeContext } from "./encode-context.ts";
import { encodePart, type PartPlace } from "./encode-part.ts";

/** File names for bytes without one, which the format does not take. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  "application/pdf": "document.pdf",
  "text/plain": "document.txt",
};

/** Encodes a document: a file as a rule; one that is made of blocks becomes these blocks. */
export function encodeDocument(document: DocumentBlock, place: PartPlace, context: EncodeContext): JsonObject[] {
  const { source, title, context: aside } = document;
  if (aside !== undefined) context.losses.at(`${place.path}.context`);
  if (source.case === "content") {
    if (title !== undefined) context.losses.at(`${place.path}.title`);
    return source.value.blocks.flatMap((block, index) =>
      encodePart(block, { ...place, path: `${place.path}.source.content[${index}]` }, context),
    );
  }
  return [{ type: "input_file", ...encodeSource(source, title, context) }];
}

function encodeSource(
  source: Exclude<DocumentBlock["source"], { case: "content" }>,
  filename: string | undefined,
  { native }: EncodeContext,
): JsonObject {
  switch (source.case) {
    case "url":
      return { file_url: source.value, filename };
    case "fileId":
      return { file_id: source.value, filename };
    case "inline": {
      const { mediaType, base64 } = source.value;
      const name = filename ?? (native ? undefined : (FILE_NAMES[mediaType] ?? "document"));
      return { file_data: mediaType === "" ? base64 : dataUrl(source.value), filename: name };
    }
    case "text": {
      const base64 = Buffer.from(source.value, "utf8").toString("base64");
      return {
        file_data: dataUrl({ mediaType: "text/plain", base64 }),
        filename: filename ?? FILE_NAMES["text/plain"],
      };
    }
    case undefined:
      return { filename };
    default:
      return source satisfies never;
  }
}
