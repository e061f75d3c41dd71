/** Environment variable that says to a process that it is a worker, and whether it is the first. */
export const WORKER_VARIABLE = "ATTUNE_WORKER";

/** The end of a process. */
export interface Ending {
  readonly status: number | null;
  readonly signal: string | null;
}

/** A process that serves beside others on one port. */
export interface Worker {
  readonly pid: number;
  /** Resolves to true once it serves, and to false if it ended before. */
  readonly serving: Promise<boolean>;
  readonly ended: Promise<Ending>;
  /** Has it take no more connections, give up those it has without a failed request, and end. */
  leave(): void;
  /** Ends it in order, as SIGTERM does. */
  end(): void;
  /** Ends it at once. */
  kill(): void;
}
