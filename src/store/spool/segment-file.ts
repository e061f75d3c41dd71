import { closeSync, fdatasync, ftruncateSync, openSync, writevSync } from "node:fs";
import { byteLength } from "./frame.ts";

/** The file that frames are appended to. */
export class SegmentFile {
  readonly #descriptor: number;
  #bytes = 0;
  #isDirty = false;
  #isSyncing = false;
  #isClosed = false;

  /** Creates the file. */
  constructor(path: string) {
    this.#descriptor = openSync(path, "ax");
  }

  /** Whole frames in the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Appends a frame. Once this returns, the frame outlives the process. Throws what the system says, such as ENOSPC; the file
   * then is as it was.
   */
  append(frame: readonly Uint8Array[]): void {
    const length = byteLength(frame);
    try {
      const written = writevSync(this.#descriptor, frame);
      if (written < length)
        throw Object.assign(new Error("the disk took only a part of the record"), { code: "ENOSPC" });
    } catch (error) {
      // A frame that is not whole would be passed over by readers; it should not take up the space all the same.
      ftruncateSync(this.#descriptor, this.#bytes);
      throw error;
    }
    this.#bytes += length;
    this.#isDirty = true;
  }

  /** Has the system put on the disk what it holds in memory, in the background: the frames then outlive the machine's power. */
  sync(onError: (error: Error) => void): void {
    if (!this.#isDirty || this.#isSyncing || this.#isClosed) return;
    this.#isDirty = false;
    this.#isSyncing = true;
    fdatasync(this.#descriptor, (error) => {
      this.#isSyncing = false;
      if (this.#isClosed) closeSync(this.#descriptor);
      if (error !== null) onError(error);
    });
  }

  /** Closes the file; nothing is appended any more. */
  close(onError: (error: Error) => void): void {
    this.sync(onError);
    this.#isClosed = true;
    if (!this.#isSyncing) closeSync(this.#descriptor);
  }
}
