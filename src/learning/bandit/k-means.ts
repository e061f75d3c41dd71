import { SHAPE_WIDTH } from "./prompt-features.ts";
import { SeededRandom } from "./seeded-random.ts";

const ROUNDS = 12;
/** Vectors that are looked at in one step. */
const VECTORS_AT_ONCE = 100;
/** Starts with different centres, of which the tightest clusters stay. */
const STARTS = 4;

/** A prompt: its words, by their places and of length 1 together, and its shape. */
export interface Vector {
  readonly columns: Uint16Array;
  readonly values: Float32Array;
  readonly shape: Float32Array;
}

/** The middle of a cluster. */
export interface Centre {
  readonly words: Float32Array;
  readonly shape: Float32Array;
  /** The square of its length, words only. */
  readonly square: number;
}

/**
 * Groups vectors of words with `width` places around so many centres, in steps of some milliseconds. The same vectors
 * make the same groups.
 */
export function* findCentres(vectors: readonly Vector[], count: number, width: number): Generator<undefined, Centre[]> {
  let best: Centre[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let start = 0; start < STARTS && count > 0; start++) {
    const first = yield* firstCentres(vectors, { count, width }, new SeededRandom(start));
    const centres = yield* cluster(vectors, first, width);
    const spread = vectors.reduce((sum, vector) => sum + nearest(vector, centres).distance, 0);
    yield;
    if (spread >= least) continue;
    least = spread;
    best = centres;
  }
  return best;
}

/** k-means++: each further centre is a prompt drawn by its squared distance to the nearest centre so far. */
function* firstCentres(
  vectors: readonly Vector[],
  { count, width }: { readonly count: number; readonly width: number },
  random: SeededRandom,
): Generator<undefined, Centre[]> {
  const centres: Centre[] = [];
  const distances = new Float64Array(vectors.length).fill(1);
  while (centres.length < count) {
    let left = random.uniform() * distances.reduce((sum, distance) => sum + distance, 0);
    let drawn = 0;
    while (drawn < vectors.length - 1 && left >= (distances[drawn] ?? 0)) left -= distances[drawn++] ?? 0;
    const vector = vectors[drawn];
    if (vector === undefined) break;
    const centre = getCentre([vector], width);
    centres.push(centre);
    for (const [at, other] of vectors.entries()) {
      const { distance } = nearest(other, [centre]);
      distances[at] = centres.length === 1 ? distance : Math.min(distances[at] ?? 0, distance);
    }
    yield;
  }
  return centres;
}

function* cluster(vectors: readonly Vector[], first: Centre[], width: number): Generator<undefined, Centre[]> {
  let centres = first;
  for (let round = 0; round < ROUNDS; round++) {
    const members: Vector[][] = centres.map(() => []);
    for (const [at, vector] of vectors.entries()) {
      members[nearest(vector, centres).index]?.push(vector);
      if (at % VECTORS_AT_ONCE === VECTORS_AT_ONCE - 1) yield;
    }
    centres = centres.map((centre, at) => (members[at]?.length ? getCentre(members[at], width) : centre));
    yield;
  }
  return centres;
}

function getCentre(vectors: readonly Vector[], width: number): Centre {
  const words = new Float32Array(width);
  const shape = new Float32Array(SHAPE_WIDTH);
  for (const { columns, values, shape: own } of vectors) {
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] ?? 0;
      words[column] = (words[column] ?? 0) + (values[at] ?? 0) / vectors.length;
    }
    for (let at = 0; at < SHAPE_WIDTH; at++) shape[at] = (shape[at] ?? 0) + (own[at] ?? 0) / vectors.length;
  }
  return withSquare(words, shape);
}

/** Makes a centre. */
export function withSquare(words: Float32Array, shape: Float32Array): Centre {
  return { words, shape, square: words.reduce((sum, value) => sum + value * value, 0) };
}

/** Finds the nearest centre, and the squared distance to it. */
export function nearest(vector: Vector, centres: readonly Centre[]): { index: number; distance: number } {
  const { columns, values, shape: own } = vector;
  let index = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (let at = 0; at < centres.length; at++) {
    const centre = centres[at];
    if (centre === undefined) continue;
    const { words, shape, square } = centre;
    // |v - c|^2 of vectors of length 1.
    let far = 1 + square;
    for (let word = 0; word < columns.length; word++) far -= 2 * (values[word] ?? 0) * (words[columns[word] ?? 0] ?? 0);
    for (let place = 0; place < SHAPE_WIDTH; place++) far += ((own[place] ?? 0) - (shape[place] ?? 0)) ** 2;
    if (far >= distance) continue;
    index = at;
    distance = far;
  }
  return { index, distance: Math.max(0, distance) };
}
