/** The log for failures out of a caller's sight; pino and Fastify loggers fit. */
export interface Log {
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Tells nobody. */
export const SILENT_LOG: Log = { warn() {}, error() {} };
