import type { InferenceError } from "../../hub/error.ts";
import type { UpstreamKeys } from "../../hub/upstream.ts";
import { hashTexts } from "../../lib/hash.ts";
import { UpstreamKey } from "./upstream-key.ts";

/** A change of a key that an operator should know of. */
export type KeyChange =
  | { readonly kind: "refused"; readonly key: string; readonly status: number | undefined; readonly forMs: number }
  | { readonly kind: "taken"; readonly key: string };

/** The parts of a key ring. */
interface KeyRingOptions {
  readonly secrets: readonly string[];
  /** Returns the headers of a request that goes by a key. */
  readonly headersOf: (secret: string) => Readonly<Record<string, string>>;
  readonly onChange: (change: KeyChange) => void;
  /** A steady clock in milliseconds. */
  readonly now: () => number;
}

/** The facts of a call that its key is chosen by. */
export interface KeyUse {
  /** The model, as the upstream calls it. */
  readonly model: string;
  /** A number that prompts have in common which begin alike; undefined: any key will do. */
  readonly prefixKey: number | undefined;
}

interface KeyAnswer {
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sentMs: number;
}

/** Below this part of its limits a key keeps no prompts. */
const SCARCE = 0.2;
/** The load of a key, as a multiple of the average, from which its prompts go by another. */
const BOUNDED_LOAD = 1.25;
/** So many calls under way are no load for any key. */
const SMALL_LOAD = 8;

/** The keys of one upstream. Calls are spread over them by what their limits have left. */
export class KeyRing implements UpstreamKeys {
  readonly #keys: readonly UpstreamKey[];
  readonly #onChange: KeyRingOptions["onChange"];
  readonly #now: () => number;

  constructor({ secrets, headersOf, onChange, now }: KeyRingOptions) {
    this.#keys = secrets.map((secret, at) => new UpstreamKey(`apiKeys[${at}]`, secret, headersOf(secret)));
    this.#onChange = onChange;
    this.#now = now;
  }

  /**
   * Chooses the key of a call: where a cache may hold its prompt, that of prompts which begin alike; else the one with
   * most room. A call that was refused by the `tried` ones gets none where the others are left alone; one that was not
   * tried yet gets the key that is free first.
   */
  choose({ model, prefixKey }: KeyUse, tried: ReadonlySet<UpstreamKey>): UpstreamKey | undefined {
    const nowMs = this.#now();
    const free = this.#keys.filter((key) => !tried.has(key) && key.freeAtMs(model) <= nowMs);
    if (free.length === 0) return tried.size > 0 ? undefined : this.#firstFree(model);
    const roomOf = (key: UpstreamKey): number => key.limitsOf(model).headroom.at(nowMs) ?? 1;
    return getKeeper(free, prefixKey, roomOf) ?? roomiest(free, roomOf);
  }

  /** Takes note that a call goes by a key; returns when. */
  began(key: UpstreamKey): number {
    const nowMs = this.#now();
    key.began(nowMs);
    return nowMs;
  }

  ended(key: UpstreamKey): void {
    key.inFlight -= 1;
  }

  /** Takes note of an answer of success to a request that was sent at `sentMs`. */
  answered(key: UpstreamKey, { model, headers, sentMs }: KeyAnswer): void {
    key.limitsOf(model).answered(headers, this.#now());
    if (key.taken(sentMs)) this.#onChange({ kind: "taken", key: key.name });
  }

  /** Takes note that a limit of a key is used up: it rests. */
  usedUp(key: UpstreamKey, model: string, { facts }: InferenceError): void {
    key.limitsOf(model).usedUp(facts.upstreamHeaders ?? {}, this.#now(), facts.retryAfterMs);
  }

  /** Takes note that the upstream refuses a key, which a request was sent by at `sentMs`: it is left out. */
  refused(key: UpstreamKey, { facts }: InferenceError, sentMs: number): void {
    const forMs = key.refused(this.#now(), sentMs);
    if (forMs === undefined) return;
    this.#onChange({ kind: "refused", key: key.name, status: facts.upstreamStatus, forMs });
  }

  /** Returns the milliseconds until a key is free for a model; 0 if one is. */
  freeInMs(model: string): number {
    return Math.max(0, Math.min(...this.#keys.map((key) => key.freeAtMs(model))) - this.#now());
  }

  report(): ReturnType<UpstreamKeys["report"]> {
    const nowMs = this.#now();
    return this.#keys.map((key) => key.report(nowMs));
  }

  headroomOf(model: string): number | undefined {
    const nowMs = this.#now();
    const usable = this.#keys.filter((key) => key.freeAtMs(model) <= nowMs);
    const parts = usable.flatMap((key) => key.limitsOf(model).headroom.at(nowMs) ?? []);
    return parts.length === 0 ? undefined : Math.max(...parts);
  }

  #firstFree(model: string): UpstreamKey | undefined {
    const atMs = (key: UpstreamKey): number => key.freeAtMs(model);
    return this.#keys.reduce((first, key) => (atMs(key) < atMs(first) ? key : first));
  }
}

type RoomOf = (key: UpstreamKey) => number;

/** Returns the key that goes by a prompt's beginning (rendezvous hashing); undefined if none of them should now. */
function getKeeper(
  free: readonly UpstreamKey[],
  prefixKey: number | undefined,
  roomOf: RoomOf,
): UpstreamKey | undefined {
  if (prefixKey === undefined) return undefined;
  const inFlight = free.reduce((total, key) => total + key.inFlight, 0);
  const most = Math.max(SMALL_LOAD, Math.ceil((BOUNDED_LOAD * (inFlight + 1)) / free.length));
  const weightOf = ({ name }: UpstreamKey): number => hashTexts([`${prefixKey}`, name]);
  return free
    .filter((key) => key.inFlight < most && roomOf(key) >= SCARCE)
    .reduce<UpstreamKey | undefined>((kept, key) => (kept && weightOf(kept) >= weightOf(key) ? kept : key), undefined);
}

/** Returns the key with most room for one more call; of equals the one that was used least recently. */
function roomiest(free: readonly UpstreamKey[], roomOf: RoomOf): UpstreamKey | undefined {
  const scoreOf = (key: UpstreamKey): number => roomOf(key) / (key.inFlight + 1);
  return [...free].sort((a, b) => scoreOf(b) - scoreOf(a) || a.usedMs - b.usedMs)[0];
}
