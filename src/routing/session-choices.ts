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

  constructor(seed: number) {
    this.seed = seed;
  }

  keep(arm: string): void {
    this.arm = arm;
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

/** Remembers who answers in sessions. Each process has its own: what they draw by is a hash of the session. */
export class SessionChoices {
  readonly #now: () => number;
  /** The one that was called last is at the end, give or take `MOVED_EACH_MS`. */
  readonly #open = new Map<string, OpenSession>();

  /** `now` is a steady clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a call of a session, and returns its choice for a base model. */
  call(principal: Principal, session: SessionId, base: string): SessionChoice {
    const { choices } = this.#take(keyOf(principal, session));
    const known = choices.get(base);
    if (known !== undefined) return known;
    const made = new OpenChoice(sessionSeed(principal, session, base));
    if (choices.size < MOST_BASES) choices.set(base, made);
    return made;
  }

  #take(key: string): OpenSession {
    const now = this.#now();
    const known = this.#open.get(key);
    if (known === undefined || known.calls >= SESSION_CALLS || now - known.lastMs >= SESSION_MS) {
      return this.#begin(key, now);
    }
    known.calls += 1;
    known.lastMs = now;
    if (now - known.movedMs >= MOVED_EACH_MS) {
      known.movedMs = now;
      this.#open.delete(key);
      this.#open.set(key, known);
    }
    return known;
  }

  #begin(key: string, now: number): OpenSession {
    const session = { choices: new Map<string, OpenChoice>(), calls: 1, lastMs: now, movedMs: now };
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
  return hashTexts([`${keyOf(principal, session)}\n${base}`]);
}

/** A key is of one project. */
function keyOf({ keyId }: Principal, { sessionSource, sessionId }: SessionId): string {
  return `${keyId}\n${sessionSource}\n${sessionId}`;
}
