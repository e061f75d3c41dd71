import type { InferenceFacts } from "../../feedback/ports.ts";
import type { PendingInferences } from "../types/pending-inference.ts";

/** The inferences that are under way in this process. */
export interface UnderWay {
  find(id: string): InferenceFacts | undefined;
  /** Resolves once an inference is no longer under way, or when the time is over. */
  ended(id: string, timeoutMs: number): Promise<void>;
}

/** The inferences of this process that are not yet in the database. */
export interface OwnInferences {
  /** Finds one that is under way, or waits for the database. */
  find(id: string): InferenceFacts | undefined;
  /** Resolves to true once one is no longer under way, and to false when the time is over. */
  ended(id: string, limitMs: number): Promise<boolean>;
  /** Has one written at once; resolves to true once it is in the database, and to false when the time is over. */
  written(id: string, limitMs: number): Promise<boolean>;
}

/** Creates the view on what is under way, and on what the recorder has. */
export function createOwnInferences(
  underWay: UnderWay,
  recorder: Pick<PendingInferences, "find" | "flush">,
): OwnInferences {
  async function ended(id: string, limitMs: number): Promise<boolean> {
    await underWay.ended(id, limitMs);
    return underWay.find(id) === undefined;
  }
  return {
    find: (id) => underWay.find(id) ?? recorder.find(id),
    ended,
    async written(id, limitMs) {
      const deadline = performance.now() + limitMs;
      if (!(await ended(id, limitMs))) return false;
      if (recorder.find(id) !== undefined) await recorder.flush(Math.max(0, deadline - performance.now()));
      return recorder.find(id) === undefined;
    },
  };
}
