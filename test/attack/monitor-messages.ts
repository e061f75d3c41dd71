/** The event loop did not come by for longer than it should. */
export interface StallReport {
  readonly kind: "stall";
  /** When it came by last, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly wallMs: number;
  /** Processor time of the loop's own thread meanwhile: little where the machine was busy with others. */
  readonly cpuMs: number;
  /** Part of the time in which the loop's thread waited for the collection of garbage. */
  readonly collectingMs: number;
}

/** What the service uses. */
export interface MonitorAnswer {
  readonly kind: "reading";
  /** Processor time of all threads so far. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
}
