/** Watches a stream for silence. */
interface Heartbeat {
  /** Something was written: silence begins anew. */
  touch(): void;
  stop(): void;
}

/** Calls `beat` whenever `silenceMs` have passed without a touch, and again after as long; a beat is none by itself. */
export function startHeartbeat(silenceMs: number, beat: () => void): Heartbeat {
  let sinceMs = performance.now();
  let timer = setTimeout(check, silenceMs);

  // One timer that is set anew when it fires: moving it with each write would cost each write.
  function check(): void {
    const leftMs = silenceMs - (performance.now() - sinceMs);
    if (leftMs <= 0) {
      sinceMs = performance.now();
      beat();
    }
    timer = setTimeout(check, leftMs <= 0 ? silenceMs : Math.ceil(leftMs));
  }

  return {
    touch() {
      sinceMs = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}
