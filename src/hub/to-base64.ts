import type { InlineData } from "../../gen/attune/content/v1/content_pb.ts";

/** Returns the bytes of a block in base64: as the sender wrote them, or coded here where they came as bytes. */
export function toBase64({ base64, data }: Pick<InlineData, "base64" | "data">): string {
  if (data.length === 0) return base64;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
}
