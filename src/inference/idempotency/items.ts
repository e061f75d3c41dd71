import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { sizeDelimitedEncode, sizeDelimitedPeek } from "@bufbuild/protobuf/wire";

/** Encodes messages one after another, each after its length. */
export function encodeItems<Desc extends DescMessage>(schema: Desc, items: readonly MessageShape<Desc>[]): Uint8Array {
  return Buffer.concat(items.map((item) => sizeDelimitedEncode(schema, item)));
}

/** Decodes messages that encodeItems() has encoded. */
export function decodeItems<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array): MessageShape<Desc>[] {
  const items: MessageShape<Desc>[] = [];
  for (let at = 0; at < bytes.length; ) {
    // A length takes ten bytes at most.
    const head = sizeDelimitedPeek(bytes.subarray(at, at + 10));
    if (head.size === null) throw new Error("an item of an answer has no length");
    const from = at + head.offset;
    at = from + head.size;
    items.push(fromBinary(schema, bytes.subarray(from, at)));
  }
  return items;
}
