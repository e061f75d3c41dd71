import type { Origin } from "../../inference/ports.ts";
import type { AuditKey, AuditState } from "./audit-state.ts";
import { type EvidenceReport, reportEvidence } from "./evidence.ts";
import type { AuditStore } from "./ports.ts";

/** A state, and what it tells. */
export interface AuditReport extends AuditState {
  readonly report: EvidenceReport;
}

/** The audit states of all compared deployments, as this process knows them. It holds one state for each. */
export class AuditCache {
  readonly #store: Pick<AuditStore, "readAll">;
  #states: ReadonlyMap<string, AuditState> = new Map();

  constructor(store: Pick<AuditStore, "readAll">) {
    this.#store = store;
  }

  /** Reads all states again. */
  async refresh(): Promise<void> {
    const states = await this.#store.readAll();
    this.#states = new Map(states.map((state) => [getText(state.key), state]));
  }

  /** Returns whether a place is not to be asked for a model. */
  isOut(model: string, place: Origin): boolean {
    // Asked for each place of each plan.
    if (this.#states.size === 0) return false;
    return this.#states.get(getText({ model, place }))?.standing === "out";
  }

  states(): readonly AuditState[] {
    return [...this.#states.values()];
  }

  /** All of them, by model and place, with what they tell. */
  reports(): readonly AuditReport[] {
    const keys = [...this.#states.keys()].sort();
    return keys.flatMap((key) => {
      const state = this.#states.get(key);
      return state === undefined ? [] : [{ ...state, report: reportEvidence(state.evidence) }];
    });
  }
}

function getText({ model, place }: AuditKey): string {
  return JSON.stringify([model, place.upstream, place.model]);
}
