import { setTimeout as sleep } from "node:timers/promises";

const TICK_MS = 10;

/**
 * Lets all senders together pass a number of bytes a second. Senders that burn both cores would measure the machine; at
 * a fixed rate it is the service's answer to them that is measured.
 */
export class TimeSlicer {
  readonly #bytesPerTick: number;
  #left = 0;
  #tick = Promise.resolve();
  #until = 0;

  constructor(bytesPerSecond: number) {
    this.#bytesPerTick = (bytesPerSecond * TICK_MS) / 1000;
  }

  /** Resolves when so many bytes may be sent. */
  async take(bytes: number): Promise<void> {
    while (this.#left <= 0) {
      if (performance.now() >= this.#until) this.#begin();
      await this.#tick;
    }
    this.#left -= bytes;
  }

  #begin(): void {
    this.#until = performance.now() + TICK_MS;
    this.#tick = sleep(TICK_MS).then(() => {
      this.#left = Math.min(this.#bytesPerTick, this.#left + this.#bytesPerTick);
    });
  }
}
