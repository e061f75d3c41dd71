/**
 * The latencies that callers notice: of an answer that is not streamed (unary), of a stream's first token, and of its
 * end.
 */
const LATENCY_METRICS = ["unary", "firstToken", "streamed"] as const;
export type LatencyKind = (typeof LATENCY_METRICS)[number];

/** The greatest slowdown against base of answers chosen among several, on average, before no more are asked for. */
interface MostSlowdown {
  /** An answer that is not streamed, and the end of a stream. */
  readonly unary: number;
  /** The first token of a stream, which comes with the whole of the slowest answer. */
  readonly firstToken: number;
}

/**
 * The default bounds. Of two answers that take as long on average the slower one takes a third longer; the first token
 * of a stream comes 10 to 20 times before its end.
 */
export const DEFAULT_SLOWDOWN: MostSlowdown = { unary: 3, firstToken: 30 };

type OfKinds<Value> = Partial<Record<LatencyKind, Value>>;

/** A mean of milliseconds, and how many it is made of. */
interface Level {
  readonly count: number;
  readonly meanMs: number;
}

/**
 * The latency of an arm of several answers: in milliseconds, and in times of base in the same families, with the sum of
 * squares beside their mean.
 */
interface Slowdown extends Level {
  readonly times: number;
  readonly mean: number;
  readonly squares: number;
}

/** The stored latencies. */
export interface LatenciesSnapshot {
  /** By family, "" for all of them together; the one that was seen last is at the end. */
  readonly base: readonly (readonly [family: string, OfKinds<Level>])[];
  readonly several: readonly (readonly [arm: string, OfKinds<Slowdown>])[];
}

/** The latency of answers, for people. */
export interface LatencyFigures extends Level {
  /** Base, or an arm of several answers. */
  readonly arm: string;
  readonly kind: LatencyKind;
  /**
   * The slowdown against base in the same families, its number of answers and its standard error; undefined for base,
   * and with few answers.
   */
  readonly slowdown?: { readonly mean: number; readonly answers: number; readonly doubt: number } | undefined;
}

/** Answers that count of each: older ones less. */
const MOST_COUNTED = 200;
const MOST_FAMILIES = 100;
const ALL = "";
/** Answers of base that something is held against: in the family, else in all of them. */
const LEAST_OF_FAMILY = 5;
const LEAST_OF_BASE = 20;
/**
 * Answers of an arm from which on it can be said to be too slow, and standard errors that it has to be so by: as for
 * bounds on metrics.
 */
const LEAST_TIMES = 10;
const DOUBT = 2;
/**
 * Nobody waits for what is less than this beyond base: where answers take milliseconds, a busy machine takes several
 * times as long.
 */
const LEAST_MORE_MS = 250;
/** One that hung says no more than this. */
const MOST_TIMES = 100;
/**
 * The decay of an arm's counts with each answer of base: one that is too slow is tried again once in a hundred answers.
 */
const KEPT = 0.999;

/** The latency of the best of several answers beside that of base. Deterministic. */
export class LatencyMetrics {
  readonly #base: Map<string, OfKinds<Level>>;
  readonly #several: Map<string, OfKinds<Slowdown>>;

  constructor({ base, several }: LatenciesSnapshot = { base: [], several: [] }) {
    this.#base = new Map(base);
    this.#several = new Map(several);
  }

  toSnapshot(): LatenciesSnapshot {
    return { base: [...this.#base], several: [...this.#several] };
  }

  /** Takes note of how long an answer of base took. */
  addBase(family: string, kind: LatencyKind, ms: number): void {
    for (const name of [family, ALL]) {
      const known = this.#base.get(name) ?? {};
      this.#base.delete(name);
      this.#base.set(name, { ...known, [kind]: withMs(known[kind], ms) });
    }
    for (const name of this.#base.keys()) {
      if (this.#base.size <= MOST_FAMILIES) break;
      if (name !== ALL) this.#base.delete(name);
    }
    for (const [arm, kinds] of this.#several) {
      const known = kinds[kind];
      if (known !== undefined) this.#several.set(arm, { ...kinds, [kind]: faded(known, KEPT) });
    }
  }

  /** Takes note of how long the best of several answers took. */
  addSeveral(
    arm: string,
    { family, kind, ms }: { readonly family: string; readonly kind: LatencyKind; readonly ms: number },
  ): void {
    const kinds = this.#several.get(arm) ?? {};
    const { times = 0, mean = 0, squares = 0 } = kinds[kind] ?? {};
    const next = { ...withMs(kinds[kind], ms), times, mean, squares };
    const ofBase = this.#levelOf(family, kind);
    this.#several.set(arm, { ...kinds, [kind]: ofBase === undefined ? next : withTimes(next, ms / ofBase) });
  }

  /** Forgets how long several answers took: a model in the workload has changed. */
  forgetSeveral(): void {
    this.#several.clear();
  }

  /** Returns the latency of several answers and of base, for people; empty before several were given. */
  figures(base: string): LatencyFigures[] {
    if (this.#several.size === 0) return [];
    return LATENCY_METRICS.flatMap((kind): LatencyFigures[] => {
      const ofSeveral = [...this.#several].flatMap(([arm, { [kind]: known }]): LatencyFigures[] => {
        if (known === undefined) return [];
        const { count, meanMs, times, mean } = known;
        const slowdown = times < 2 ? undefined : { mean, answers: times, doubt: getError(known) };
        return [{ arm, kind, count, meanMs, slowdown }];
      });
      const ofBase = this.#base.get(ALL)?.[kind];
      return ofSeveral.length === 0 || ofBase === undefined
        ? ofSeveral
        : [{ arm: base, kind, ...ofBase }, ...ofSeveral];
    });
  }

  /** Returns whether an arm of several answers is known to be slower than it may be. */
  isTooSlow(arm: string, isStreamed: boolean, limits: Partial<MostSlowdown> = {}): boolean {
    const most = { ...DEFAULT_SLOWDOWN, ...limits };
    const kinds = this.#several.get(arm);
    if (kinds === undefined) return false;
    if (!isStreamed) return isBeyond(kinds.unary, most.unary);
    return isBeyond(kinds.firstToken, most.firstToken) || isBeyond(kinds.streamed, most.unary);
  }

  /**
   * Mean milliseconds of base in a family, or in all where too few are known of it; undefined where nothing can be held
   * against it yet.
   */
  #levelOf(family: string, kind: LatencyKind): number | undefined {
    const known = this.#base.get(family)?.[kind];
    if (known !== undefined && known.count >= LEAST_OF_FAMILY && known.meanMs > 0) return known.meanMs;
    const all = this.#base.get(ALL)?.[kind];
    return all !== undefined && all.count >= LEAST_OF_BASE && all.meanMs > 0 ? all.meanMs : undefined;
  }
}

function withMs(level: Level | undefined, ms: number): Level {
  const { count = 0, meanMs = 0 } = level ?? {};
  const next = Math.min(count + 1, MOST_COUNTED);
  return { count: next, meanMs: meanMs + (ms - meanMs) / next };
}

/** Welford's recurrence, of which the oldest count less. */
function withTimes(slowdown: Slowdown, ratio: number): Slowdown {
  const { times, mean, squares } = slowdown.times >= MOST_COUNTED ? faded(slowdown, 1 - 1 / MOST_COUNTED) : slowdown;
  const value = Math.min(MOST_TIMES, ratio);
  const after = mean + (value - mean) / (times + 1);
  return { ...slowdown, times: times + 1, mean: after, squares: squares + (value - mean) * (value - after) };
}

function faded(slowdown: Slowdown, kept: number): Slowdown {
  return { ...slowdown, times: slowdown.times * kept, squares: slowdown.squares * kept };
}

function isBeyond(slowdown: Slowdown | undefined, most: number): boolean {
  if (slowdown === undefined || slowdown.times < LEAST_TIMES) return false;
  const moreMs = slowdown.meanMs * (1 - 1 / slowdown.mean);
  return moreMs > LEAST_MORE_MS && slowdown.mean - DOUBT * getError(slowdown) > most;
}

function getError({ times, squares }: Slowdown): number {
  return times <= 1 ? Number.POSITIVE_INFINITY : Math.sqrt(Math.max(0, squares) / (times - 1) / times);
}
