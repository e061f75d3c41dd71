import type { HubInput } from "../../hub/input.ts";

/** An inference that is made in the background. */
export interface BackgroundEntry {
  readonly id: string;
  readonly projectId: string;
  readonly keyId: string;
  /** Model without the prefix. */
  readonly model: string;
  readonly streamed: boolean;
  readonly startedAt: Date;
  /** The inference that it continues. */
  readonly previousId: string | undefined;
  readonly input: HubInput;
}

/** The same as other processes see it. */
export interface BackgroundRow extends BackgroundEntry {
  /** When the process that makes it was last heard of. */
  readonly beatAt: Date;
  /** Milliseconds since then, by the clock that all processes share. */
  readonly silentMs: number;
}

/** The changes to inferences while they run. */
interface Heard {
  /** The inferences whose callers have cancelled them. */
  readonly cancelled: readonly string[];
  /** The inferences that another process has declared failed. */
  readonly lost: readonly string[];
}

/**
 * The inferences that are made in the background, for all processes on a database to see: from before their ids are out
 * until they are recorded.
 */
export interface BackgroundStore {
  add(entry: BackgroundEntry): Promise<void>;
  read(id: string, projectId: string): Promise<BackgroundRow | undefined>;
  /** Says that these are still made here, and returns what was said of them meanwhile. */
  beat(ids: readonly string[]): Promise<Heard>;
  /** Asks whoever makes an inference to break it off. */
  requestCancel(id: string, projectId: string): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Returns some of those whose process was not heard of for so long. */
  silentFor(ms: number): Promise<BackgroundRow[]>;
}
