import type { LocalSignals } from "./local-signals.ts";

/** The state of a deployment, as this process knows it. */
interface DeploymentState {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly health: { readonly isOut: boolean; readonly failures: number };
}

/** The sources of what a process knows of itself. */
interface ProcessSources {
  readonly places: () => readonly DeploymentState[];
  readonly spool: () => { readonly bytes: number; readonly maxBytes: number; readonly lost: number };
}

const MINUTE_MS = 60_000;
/** A condition of a process that has died is over after so long. */
const EXPIRES_MS = 150_000;

/** Reports the deployments that fail, and the spool, of this process. It holds an entry for each that fails. */
export class ProcessWatch {
  readonly #sources: ProcessSources;
  readonly #signals: LocalSignals;
  /** When each failing deployment was first seen out. */
  readonly #outSince = new Map<string, number>();
  #lost = 0;
  #lostUntilMs = Number.NEGATIVE_INFINITY;

  constructor(sources: ProcessSources, signals: LocalSignals) {
    this.#sources = sources;
    this.#signals = signals;
  }

  /** Looks at all of them. */
  check(nowMs: number): void {
    this.#checkPlaces(nowMs);
    this.#checkSpool(nowMs);
  }

  /** A deployment that failed is asked now and then: it is back once it has answered, not while nobody asks. */
  #checkPlaces(nowMs: number): void {
    const failing = new Set<string>();
    for (const { upstream, upstreamModel, health } of this.#sources.places()) {
      const subject = `${upstream}/${upstreamModel}`;
      const isFailing = health.isOut || (health.failures > 0 && this.#outSince.has(subject));
      if (!isFailing) continue;
      failing.add(subject);
      const sinceMs = this.#outSince.get(subject) ?? nowMs;
      this.#outSince.set(subject, sinceMs);
      // In whole minutes: each is one write.
      const value = Math.floor((nowMs - sinceMs) / MINUTE_MS);
      if (value === 0) continue;
      this.#signals.set({ kind: "deployment", subject, projectId: "", value, expiresAtMs: nowMs + EXPIRES_MS }, nowMs);
    }
    for (const subject of this.#outSince.keys()) {
      if (failing.has(subject)) continue;
      this.#outSince.delete(subject);
      this.#signals.clear({ kind: "deployment", subject, projectId: "" });
    }
  }

  #checkSpool(nowMs: number): void {
    const { bytes, maxBytes, lost } = this.#sources.spool();
    // What was lost is gone, however much room there is by now: it is told of for a while.
    if (lost > this.#lost) this.#lostUntilMs = nowMs + EXPIRES_MS;
    this.#lost = lost;
    const share = nowMs < this.#lostUntilMs ? 1 : Math.floor((bytes / maxBytes) * 20) / 20;
    if (share <= 0) this.#signals.clear({ kind: "spool", subject: "", projectId: "" });
    else {
      this.#signals.set(
        { kind: "spool", subject: "", projectId: "", value: share, expiresAtMs: nowMs + EXPIRES_MS },
        nowMs,
      );
    }
  }
}
