/**
 * How long a test waits for a state, in milliseconds, and how often it looks. Any machine may stall for seconds: the
 * limit ends what hangs, before the test's own does, and tells nothing of speed.
 */
export const PATIENCE = { timeout: 45_000, interval: 10 };
