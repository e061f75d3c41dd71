import { closeSync, openSync } from "node:fs";

/** The callbacks for SIGHUP. */
interface Hangup {
  /** The terminal was closed. */
  readonly end: () => void;
  /** Somebody sent the signal. */
  readonly reload: () => void;
}

/**
 * Tells a closed terminal from a SIGHUP that somebody sent. Returns what the signal is to call. A process that began
 * without a terminal has none that could be closed.
 */
export function createHangup({ end, reload }: Hangup, hasTerminal: () => boolean = canOpenTerminal): () => void {
  const hadTerminal = hasTerminal();
  return () => (hadTerminal && !hasTerminal() ? end() : reload());
}

/** Returns whether the terminal that controls this process is open, wherever its output goes. */
function canOpenTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
