import { crc32 } from "node:zlib";

/** Writes a message of an AWS event stream, with headers that are texts. */
export function awsFrame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const size = Buffer.alloc(2);
      size.writeUInt16BE(Buffer.byteLength(value));
      return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, Buffer.from(value)]);
    }),
  );
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(12 + head.length + body.length + 4, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const whole = Buffer.concat([prelude, head, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(whole));
  return Buffer.concat([whole, checksum]);
}

const JSON_TYPE = { ":content-type": "application/json" };

/** Writes an event of a model's stream as Bedrock wraps it. */
export function bedrockChunk(event: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(event)).toString("base64");
  const payload = JSON.stringify({ bytes, p: "abcdefgh" });
  return awsFrame({ ":event-type": "chunk", ...JSON_TYPE, ":message-type": "event" }, payload);
}

/** Writes a failure inside a stream. */
export function bedrockException(name: string, message: string): Buffer {
  const headers = { ":exception-type": name, ...JSON_TYPE, ":message-type": "exception" };
  return awsFrame(headers, JSON.stringify({ message }));
}
