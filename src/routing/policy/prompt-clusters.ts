import { SeededRandom } from "./random.ts";

/** Columns that words are hashed to; a power of two. */
const COLUMNS = 4096;
/** Characters of a prompt that are looked at. */
const MOST_CHARACTERS = 4000;
const ROUNDS = 12;
/** How much the shape of a prompt counts beside its words, whose vector has length 1. */
const SHAPE_WEIGHT = 0.6;
/** Starts with different centres, of which the tightest clusters stay. */
const STARTS = 4;

interface Vector {
  readonly columns: Int32Array;
  readonly values: Float64Array;
  readonly shape: Float64Array;
}

/**
 * Groups prompts of one family by their words (tf-idf) and their shape, by k-means, so that each group can be learned of by itself. It is
 * learned from prompts alone: no feedback is needed. The same prompts make the same clusters.
 */
export class PromptClusters {
  readonly #weights: Float64Array;
  readonly #shapeMeans: Float64Array;
  readonly #shapeDeviations: Float64Array;
  #centres: Centre[] = [];

  private constructor(weights: Float64Array, shapeMeans: Float64Array, shapeDeviations: Float64Array) {
    this.#weights = weights;
    this.#shapeMeans = shapeMeans;
    this.#shapeDeviations = shapeDeviations;
  }

  static learn(prompts: readonly string[], count: number): PromptClusters {
    const weights = inverseFrequencies(prompts);
    const shapes = prompts.map(shapeOf);
    const width = shapeOf("").length;
    const means = new Float64Array(width);
    const deviations = new Float64Array(width).fill(1);
    for (let at = 0; at < width && shapes.length > 0; at++) {
      const column = shapes.map((shape) => shape[at] ?? 0);
      const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
      means[at] = mean;
      deviations[at] = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length) || 1;
    }
    const clusters = new PromptClusters(weights, means, deviations);
    const vectors = prompts.map((prompt) => clusters.#vectorOf(prompt));
    clusters.#centres = tightest(vectors, Math.min(count, prompts.length));
    return clusters;
  }

  /** Returns the number of the cluster that a prompt is nearest to; 0 if there are none. */
  find(prompt: string): number {
    return nearest(this.#vectorOf(prompt), this.#centres).index;
  }

  #vectorOf(prompt: string): Vector {
    const counts = new Map<number, number>();
    for (const column of columnsOf(prompt)) counts.set(column, (counts.get(column) ?? 0) + 1);
    const columns = Int32Array.from(counts.keys());
    const values = Float64Array.from(counts, ([column, count]) => (1 + Math.log(count)) * (this.#weights[column] ?? 0));
    const length = Math.hypot(...values) || 1;
    const shape = shapeOf(prompt).map((value, at) => {
      const scaled = (value - (this.#shapeMeans[at] ?? 0)) / (this.#shapeDeviations[at] ?? 1);
      // One prompt of a thousand lines is no cluster of its own.
      return SHAPE_WEIGHT * Math.min(3, Math.max(-3, scaled));
    });
    return { columns, values: values.map((value) => value / length), shape };
  }
}

interface Centre {
  readonly words: Float64Array;
  readonly shape: Float64Array;
  /** The square of its length, words only. */
  readonly square: number;
}

function columnsOf(prompt: string): number[] {
  const words =
    prompt
      .slice(0, MOST_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}]+|\p{N}+|[^\s\p{L}\p{N}]/gu) ?? [];
  return words.map((word) => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    return (hash ^ (hash >>> 15)) & (COLUMNS - 1);
  });
}

function inverseFrequencies(prompts: readonly string[]): Float64Array {
  const found = new Float64Array(COLUMNS);
  for (const prompt of prompts) {
    for (const column of new Set(columnsOf(prompt))) found[column] = (found[column] ?? 0) + 1;
  }
  return found.map((count) => Math.log((prompts.length + 1) / (count + 1)) + 1);
}

/** What a prompt looks like, apart from its words. */
function shapeOf(prompt: string): Float64Array {
  const text = prompt.slice(0, MOST_CHARACTERS);
  const share = (pattern: RegExp): number => (text.match(pattern)?.length ?? 0) / (text.length + 1);
  return Float64Array.of(
    Math.log(1 + prompt.length),
    Math.log(1 + (text.match(/\n/g)?.length ?? 0)),
    share(/\p{N}/gu),
    share(/\p{Lu}/gu),
    share(/[{}()[\];=<>]/g),
    share(/[$\\^]/g),
    share(/[^\p{ASCII}]/gu),
    text.trimEnd().endsWith("?") ? 1 : 0,
    /^\s*\(?[A-E][).:]/m.test(text) ? 1 : 0,
    text.includes("```") || /\bdef \w+\(/.test(text) ? 1 : 0,
  );
}

function tightest(vectors: readonly Vector[], count: number): Centre[] {
  let best: Centre[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let start = 0; start < STARTS && count > 0; start++) {
    const centres = cluster(vectors, firstCentres(vectors, count, new SeededRandom(start)));
    const spread = vectors.reduce((sum, vector) => sum + nearest(vector, centres).distance, 0);
    if (spread >= least) continue;
    least = spread;
    best = centres;
  }
  return best;
}

/** k-means++: each further centre is a prompt drawn by its squared distance to the nearest centre so far. */
function firstCentres(vectors: readonly Vector[], count: number, random: SeededRandom): Centre[] {
  const centres: Centre[] = [];
  const distances = new Float64Array(vectors.length).fill(1);
  while (centres.length < count) {
    let left = random.uniform() * distances.reduce((sum, distance) => sum + distance, 0);
    let drawn = 0;
    while (drawn < vectors.length - 1 && left >= (distances[drawn] ?? 0)) left -= distances[drawn++] ?? 0;
    const vector = vectors[drawn];
    if (vector === undefined) break;
    const centre = centreOf([vector]);
    centres.push(centre);
    for (const [at, other] of vectors.entries()) {
      const { distance } = nearest(other, [centre]);
      distances[at] = centres.length === 1 ? distance : Math.min(distances[at] ?? 0, distance);
    }
  }
  return centres;
}

function cluster(vectors: readonly Vector[], first: Centre[]): Centre[] {
  let centres = first;
  for (let round = 0; round < ROUNDS; round++) {
    const members: Vector[][] = centres.map(() => []);
    for (const vector of vectors) members[nearest(vector, centres).index]?.push(vector);
    centres = centres.map((centre, at) => (members[at]?.length ? centreOf(members[at]) : centre));
  }
  return centres;
}

function centreOf(vectors: readonly Vector[]): Centre {
  const words = new Float64Array(COLUMNS);
  const shape = new Float64Array(vectors[0]?.shape.length ?? 0);
  for (const vector of vectors) {
    for (const [at, column] of vector.columns.entries()) {
      words[column] = (words[column] ?? 0) + (vector.values[at] ?? 0) / vectors.length;
    }
    for (const [at, value] of vector.shape.entries()) shape[at] = (shape[at] ?? 0) + value / vectors.length;
  }
  return { words, shape, square: words.reduce((sum, value) => sum + value * value, 0) };
}

/** The nearest centre, and the squared distance to it. */
function nearest(vector: Vector, centres: readonly Centre[]): { index: number; distance: number } {
  let index = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (const [at, { words, shape, square }] of centres.entries()) {
    // |v - c|^2 of vectors of length 1.
    let far = 1 + square;
    for (let word = 0; word < vector.columns.length; word++) {
      far -= 2 * (vector.values[word] ?? 0) * (words[vector.columns[word] ?? 0] ?? 0);
    }
    for (let place = 0; place < shape.length; place++) far += ((vector.shape[place] ?? 0) - (shape[place] ?? 0)) ** 2;
    if (far >= distance) continue;
    index = at;
    distance = far;
  }
  return { index, distance: Math.max(0, distance) };
}
