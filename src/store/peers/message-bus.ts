/** The callbacks of a bus. */
export interface BusListener {
  /** Someone told something; it may have been this process. */
  onMessage(text: string): void;
  /** Others are heard from now on; what they told before was not. */
  onOpen(): void;
  /** A process is there: it can be told something. */
  onMet(name: string): void;
  /** A process is gone that was there. */
  onLost(name: string): void;
}

/** Carries short messages between the processes on one database. Any of them may be lost. */
export interface MessageBus {
  /** Name of this process. */
  readonly name: string;
  /** True if others are told and heard at the moment; where it is "single" there can be no others. */
  readonly state: "open" | "closed" | "single";
  /** Begins to listen. */
  start(listener: BusListener): void;
  /**
   * Tells all others something of at most 7999 bytes in one line; where `to` is given, nobody else needs to hear it.
   */
  send(text: string, to?: string): void;
  close(): Promise<void>;
}

/** The bus of a database that no other process can open. */
export const NO_OTHERS: MessageBus = {
  name: "",
  state: "single",
  start() {},
  send() {},
  async close() {},
};
