import { closeSync, fdatasync, ftruncateSync, openSync, writeSync } from "node:fs";

/** The file that frames are appended to. */
export class SegmentFile {
  readonly #descriptor: number;
  #bytes = 0;
  #isDirty = false;
  #isSyncing = false;
  #isClosed = false;

  /** Creates the file. */
  constructor(path: string) {
    this.#descriptor = openSync(path, "wx");
  }

  /** Whole frames in the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Appends a frame. Once this returns, the frame outlives the process. Throws what the system says, such as ENOSPC;
   * the file then is as it was.
   */
  append(frame: Uint8Array): void {
    try {
      // At its place, and not at the end: what a failure left there is then written over.
      const written = writeSync(this.#descriptor, frame, 0, frame.length, this.#bytes);
      if (written < frame.length)
        throw Object.assign(new Error("the disk took only a part of the record"), { code: "ENOSPC" });
    } catch (error) {
      this.#cutOff();
      throw error;
    }
    this.#bytes += frame.length;
    this.#isDirty = true;
  }

  /**
   * Has the system put on the disk what it holds in memory, in the background: the frames then outlive the machine's
   * power.
   */
  sync(onError: (error: Error) => void): void {
    if (!this.#isDirty || this.#isSyncing) return;
    this.#isDirty = false;
    this.#isSyncing = true;
    fdatasync(this.#descriptor, (error) => {
      this.#isSyncing = false;
      if (error !== null) onError(error);
      if (this.#isClosed) this.close(onError);
    });
  }

  /** Closes the file once the system has put on the disk what is in it; nothing is appended any more. */
  close(onError: (error: Error) => void): void {
    this.#isClosed = true;
    this.sync(onError);
    if (!this.#isSyncing) closeSync(this.#descriptor);
  }

  /** A frame that is not whole would be passed over by readers; it should not take up the space all the same. */
  #cutOff(): void {
    try {
      ftruncateSync(this.#descriptor, this.#bytes);
    } catch {
      // The next frame is written over it.
    }
  }
}
