import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib";

/** Smaller bodies are stored as they are: to compress them costs what it saves. */
const COMPRESS_FROM_BYTES = 1024;

/**
 * Begins every zstd frame. No message of ours begins so: its first byte would be a number in a field that holds none.
 */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/**
 * The lowest level: 32 KB of prose take 63 us and become 37.6% of their size; at the default level 83 us, and 35.7%.
 */
const COMPRESSION = { [constants.ZSTD_c_compressionLevel]: 1 };

/** From this size on, a thread of the pool compresses: it costs more than a hop to the pool. */
export const POOL_FROM_BYTES = 64 * 1024;

/** The same for what is compressed; it may be many times as large. */
const POOL_FROM_COMPRESSED_BYTES = 8 * 1024;

const compressInPool = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Compresses a message with zstd, unless it is small or compressed. */
export async function compressBody(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length < COMPRESS_FROM_BYTES || isCompressed(bytes)) return bytes;
  // The size is told in advance: the compressor then sets up for that much, which is most of its work on a small body.
  // A text becomes half as long.
  const options = { pledgedSrcSize: bytes.length, chunkSize: bytes.length >> 1, params: COMPRESSION };
  return bytes.length < POOL_FROM_BYTES ? zstdCompressSync(bytes, options) : await compressInPool(bytes, options);
}

/** Returns a message as it was before it was compressed, if it was. */
export async function expandBody(bytes: Uint8Array): Promise<Uint8Array> {
  if (!isCompressed(bytes)) return bytes;
  return bytes.length < POOL_FROM_COMPRESSED_BYTES ? zstdDecompressSync(bytes) : await decompress(bytes);
}

/** The same at once, on this thread. */
export function expandBodyNow(bytes: Uint8Array): Uint8Array {
  return isCompressed(bytes) ? zstdDecompressSync(bytes) : bytes;
}

function isCompressed(bytes: Uint8Array): boolean {
  return ZSTD_MAGIC.equals(bytes.subarray(0, ZSTD_MAGIC.length));
}
