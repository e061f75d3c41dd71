import type { SubjectQuota } from "./quota.ts";

/** Counts by subject what calls under way may cost beyond what they have reserved, in nano-USD. */
export class AtRisk {
  readonly #nanos = new Map<string, number>();

  of(subject: string): number {
    return this.#nanos.get(subject) ?? 0;
  }

  /** Adds what a call may cost beyond its reservation, and returns a function that takes it off once. */
  add(quotas: readonly SubjectQuota[], nanos: number): () => void {
    if (nanos <= 0) return () => {};
    for (const { subject } of quotas) this.#nanos.set(subject, this.of(subject) + nanos);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const { subject } of quotas) {
        const rest = this.of(subject) - nanos;
        if (rest > 0) this.#nanos.set(subject, rest);
        else this.#nanos.delete(subject);
      }
    };
  }
}
