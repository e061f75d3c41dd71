/** Bytes that are taken at once. */
const BLOCK_BYTES = 2 ** 20;

/** Blocks that are kept for the next time. */
const KEPT_BLOCKS = 8;

/**
 * Memory for the bytes of one batch after another. New buffers for each would have the heap collected as often, since
 * V8 counts what lies outside of it too: 7% of the CPU of prompts of 32 KB.
 */
export class BufferArena {
  /** Made when they are first needed. */
  readonly #blocks: Buffer[] = [];
  #at = 0;
  #used = 0;

  /** Returns room for so many bytes, of which nothing is taken yet. */
  reserve(length: number): Buffer {
    if (length > BLOCK_BYTES) return Buffer.allocUnsafeSlow(length);
    if (this.#used + length > BLOCK_BYTES) [this.#at, this.#used] = [this.#at + 1, 0];
    if (this.#at >= KEPT_BLOCKS) return Buffer.allocUnsafeSlow(length);
    const block = this.#blocks[this.#at] ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#blocks[this.#at] = block;
    return block.subarray(this.#used, this.#used + length);
  }

  /** Takes the first bytes of what was reserved last; the rest can be reserved again. */
  take(reserved: Buffer, length = reserved.length): Buffer {
    if (reserved.buffer === this.#blocks[this.#at]?.buffer) this.#used += length;
    return reserved.subarray(0, length);
  }

  /** Takes note that nobody looks any more at what was taken so far. */
  beginAnew(): void {
    [this.#at, this.#used] = [0, 0];
  }
}
