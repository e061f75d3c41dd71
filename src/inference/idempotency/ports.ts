import type { InferenceError } from "../../hub/error.ts";

/** A call under a key that no other call has, as its process claims it. */
export interface KeyClaim {
  /** UUIDv7 of the call; of an inference, its own id. */
  readonly id: string;
  readonly projectId: string;
  readonly key: string;
  readonly bodyHash: string;
  /** Id of the process that answers it. */
  readonly owner: string;
}

/** The end of a call: what answers it again, or that nothing of it was kept. */
export type KeyedEnd =
  | { readonly kind: "kept"; readonly answer: Uint8Array; readonly error: InferenceError | undefined }
  | { readonly kind: "not kept" };

/** A call under a key as all processes see it. */
export interface KeyedRow extends KeyClaim {
  /** Milliseconds since the process that answers it was last heard of, by the clock that all processes share. */
  readonly silentMs: number;
  /** Undefined while it is being answered. */
  readonly end: KeyedEnd | undefined;
}

/** The recorded end of an inference. */
type RecordedStatus = "completed" | "failed";

/** The calls under keys of all processes on a database. */
export interface KeyedCallStore {
  /** Claims a key for 24 hours; returns the call that has it already, if there is one. */
  claim(claim: KeyClaim): Promise<KeyedRow | undefined>;
  find(projectId: string, key: string): Promise<KeyedRow | undefined>;
  /** Makes another process the one that answers a call; false if the former one is not its owner any more. */
  takeOver(id: string, from: string, to: string): Promise<boolean>;
  /** Ends a call of an owner. */
  end(id: string, owner: string, end: KeyedEnd): Promise<void>;
  /** Gives a key back that an owner has claimed. */
  remove(id: string, owner: string): Promise<void>;
  /** Says that an owner still answers its calls. */
  beat(owner: string): Promise<void>;
  /** Deletes calls of which a day has passed, until the signal aborts. */
  removeOld(signal: AbortSignal): Promise<void>;
  /** Returns what was recorded of an inference of a project. */
  recordedStatus(id: string, projectId: string): Promise<RecordedStatus | undefined>;
}
