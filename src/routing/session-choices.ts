import type { Principal } from "../hub/principal.ts";
import { SESSION_CALLS, SESSION_MS } from "../hub/sessions.ts";
import { hashTexts } from "../lib/hash.ts";

/** Sessions that are remembered: some tens of megabytes. The one that was silent longest is forgotten first. */
const MOST_SESSIONS = 50_000;
/** Base models of one session whose choice is remembered. */
const MOST_BASES = 32;
const MOVED_EACH_MS = 1000;

/** The id of a session, and where it was found. */
export interface SessionId {
  readonly sessionSource: string;
  readonly sessionId: string;
}

/** The model that answers in a session in place of its base, as processes tell each other. */
export interface ChosenArm extends SessionId {
  readonly keyId: string;
  readonly base: string;
  readonly arm: string;
  /** When that was decided, in milliseconds since 1970. */
  readonly atMs: number;
  /** True for what was decided first in the session, and not in place of another choice. */
  readonly isFirst: boolean;
}

/** The other processes on the database, and what they have recorded. */
export interface SessionPeers {
  /** Tells the others of a choice. */
  tell(chosen: ChosenArm): void;
  /** Since when all of the others' choices were heard, on the clock of the choices. */
  readonly heardSinceMs: number;
  /** Reads who answered in a session last; undefined where nobody has. */
  read(principal: Principal, session: SessionId, base: string): Promise<string | undefined>;
}

/** The choice of one session and base model. */
export interface SessionChoice {
  /** The arm that answers; undefined where none was chosen yet. */
  readonly arm: string | undefined;
  /** 32 bits that chance is drawn from: the same in every process. */
  readonly seed: number;
  /** Has an arm answer from the next call on. */
  keep(arm: string): void;
}

class OpenChoice implements SessionChoice {
  arm: string | undefined;
  readonly seed: number;
  readonly #tell: (chosen: Pick<ChosenArm, "arm" | "atMs" | "isFirst">) => void;
  #atMs = 0;
  #isFirst = true;

  constructor(seed: number, tell: (chosen: Pick<ChosenArm, "arm" | "atMs" | "isFirst">) => void) {
    this.seed = seed;
    this.#tell = tell;
  }

  keep(arm: string): void {
    if (arm === this.arm) return;
    this.#isFirst = this.arm === undefined;
    this.#atMs = Date.now();
    this.arm = arm;
    this.#tell({ arm, atMs: this.#atMs, isFirst: this.#isFirst });
  }

  /** Takes another process's choice: of two that were first the earlier one, and what was decided anew in any case. */
  hear({ arm, atMs, isFirst }: Pick<ChosenArm, "arm" | "atMs" | "isFirst">): void {
    const isEarlier = atMs < this.#atMs || (atMs === this.#atMs && arm < (this.arm ?? ""));
    if (this.arm !== undefined && isFirst && !(this.#isFirst && isEarlier)) return;
    this.arm = arm;
    this.#atMs = atMs;
    this.#isFirst = isFirst;
  }
}

/** A session that goes on: its choices, by the name of the base model. */
interface OpenSession {
  readonly choices: Map<string, OpenChoice>;
  calls: number;
  lastMs: number;
  /** When it was put behind the others: not with each call, since that costs more than all the rest. */
  movedMs: number;
}

/** Reads of sessions under way; more are not begun, and the choice is drawn by the same hash as in other processes. */
const MOST_READS = 100;
/** The time that a call waits for what was recorded of its session. */
const READ_MS = 250;

/**
 * Remembers who answers in sessions. Processes draw by the same hash, tell each other what they have drawn, and read
 * what was recorded of a session that they may not have heard of.
 */
export class SessionChoices {
  readonly #now: () => number;
  readonly #peers: SessionPeers | undefined;
  readonly #reads = new Map<string, Promise<void>>();
  /** The one that was called last is at the end, give or take `MOVED_EACH_MS`. */
  readonly #open = new Map<string, OpenSession>();

  /** `now` is a steady clock in milliseconds. */
  constructor(now: () => number, peers?: SessionPeers) {
    this.#now = now;
    this.#peers = peers;
  }

  /** True while there may be sessions that this process has not heard of. */
  get mayRecall(): boolean {
    return this.#peers !== undefined && this.#now() - this.#peers.heardSinceMs < SESSION_MS;
  }

  /**
   * Reads who answered in a session before, where this process does not know it and may not have heard of it: in the
   * first two hours that it hears the others. Never rejects. Undefined where there is nothing to wait for.
   */
  recall(principal: Principal, session: SessionId, base: string): Promise<void> | undefined {
    if (!this.mayRecall) return undefined;
    const key = `${getKey(principal, session)}\n${base}`;
    const reading = this.#reads.get(key);
    if (reading !== undefined) return reading;
    if (this.#find(getKey(principal, session), base) !== undefined || this.#reads.size >= MOST_READS) return undefined;
    const read = this.#read(principal, session, base).finally(() => this.#reads.delete(key));
    this.#reads.set(key, read);
    return read;
  }

  /** Takes another process's choice. It counts as no call of the session. */
  hear({ keyId, base, sessionSource, sessionId, ...chosen }: ChosenArm): void {
    this.#hear(getKey({ keyId }, { sessionSource, sessionId }), base, chosen);
  }

  /** Counts a call of a session, and returns its choice for a base model. */
  call(principal: Principal, session: SessionId, base: string): SessionChoice {
    const key = getKey(principal, session);
    return this.#choice(key, this.#take(key), base);
  }

  #choice(key: string, { choices }: OpenSession, base: string): OpenChoice {
    const known = choices.get(base);
    if (known !== undefined) return known;
    const made = new OpenChoice(hashTexts([`${key}\n${base}`]), (chosen) => {
      const [keyId = "", sessionSource = "", ...id] = key.split("\n");
      this.#peers?.tell({ keyId, sessionSource, sessionId: id.join("\n"), base, ...chosen });
    });
    if (choices.size < MOST_BASES) choices.set(base, made);
    return made;
  }

  #find(key: string, base: string): string | undefined {
    const known = this.#open.get(key);
    return known === undefined || this.#isOver(known) ? undefined : known.choices.get(base)?.arm;
  }

  #hear(key: string, base: string, chosen: Pick<ChosenArm, "arm" | "atMs" | "isFirst">): void {
    const known = this.#open.get(key);
    const session = known === undefined || this.#isOver(known) ? this.#begin(key, this.#now(), 0) : known;
    this.#choice(key, session, base).hear(chosen);
  }

  async #read(principal: Principal, session: SessionId, base: string): Promise<void> {
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), READ_MS);
    try {
      const arm = await Promise.race([this.#peers?.read(principal, session, base), late.promise]);
      if (arm !== undefined) this.#hear(getKey(principal, session), base, { arm, atMs: 0, isFirst: true });
    } catch {
      // What is drawn is what others have drawn, unless something was learned since.
    } finally {
      clearTimeout(timer);
    }
  }

  #isOver({ calls, lastMs }: OpenSession): boolean {
    return calls >= SESSION_CALLS || this.#now() - lastMs >= SESSION_MS;
  }

  #take(key: string): OpenSession {
    const now = this.#now();
    const known = this.#open.get(key);
    if (known === undefined || this.#isOver(known)) return this.#begin(key, now, 1);
    known.calls += 1;
    known.lastMs = now;
    if (now - known.movedMs >= MOVED_EACH_MS) {
      known.movedMs = now;
      this.#open.delete(key);
      this.#open.set(key, known);
    }
    return known;
  }

  #begin(key: string, now: number, calls: number): OpenSession {
    const session = { choices: new Map<string, OpenChoice>(), calls, lastMs: now, movedMs: now };
    this.#open.delete(key);
    this.#open.set(key, session);
    if (this.#open.size > MOST_SESSIONS) {
      for (const oldest of this.#open.keys()) {
        this.#open.delete(oldest);
        break;
      }
    }
    return session;
  }
}

/** Returns the 32 bits that the choice of a session is drawn from: the same in every process. */
export function sessionSeed(principal: Principal, session: SessionId, base: string): number {
  return hashTexts([`${getKey(principal, session)}\n${base}`]);
}

/** A key is of one project. */
function getKey({ keyId }: Pick<Principal, "keyId">, { sessionSource, sessionId }: SessionId): string {
  return `${keyId}\n${sessionSource}\n${sessionId}`;
}
