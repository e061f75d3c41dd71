import { type Centre, findCentres, nearest, type Vector, withSquare } from "./k-means.ts";
import { COLUMNS, PromptFeatures, SHAPE_WIDTH } from "./prompt-features.ts";

/** Columns that clusters are told apart by: those in which prompts differ most. */
const KEPT_COLUMNS = 512;
/** The weight of a prompt's shape beside its words, whose vector has length 1. */
const SHAPE_WEIGHT = 0.6;
/** Prompts that are read in one step of learning. */
const PROMPTS_AT_ONCE = 20;
/** Squares of what a shape varies by at least. */
const LEAST_VARIANCE = 1e-9;
const MOST_CLUSTERS = 255;
/** Begins what `encode` writes: another version cannot be read. */
const VERSION = "1:";
/** A word's weight is kept in steps of so much. */
const WEIGHT_STEP = 1 / 24;

/** The scales of a prompt's words and shape. */
interface Scales {
  /** Per column: its place among those that are kept, 0 if it is not. Places count from 1. */
  readonly places: Uint16Array;
  /** Per place: the weight of its words. */
  readonly weights: Float32Array;
  readonly shapeMeans: Float32Array;
  readonly shapeDeviations: Float32Array;
}

const features = new PromptFeatures();

/**
 * Groups prompts of one family by their words (tf-idf) and their shape, by k-means, so that each group can be learned
 * of by itself. It is learned from prompts alone: no feedback is needed. The same prompts make the same clusters.
 */
export class PromptClusters {
  readonly #scales: Scales;
  readonly #centres: readonly Centre[];
  readonly #values: Float32Array;
  readonly #places: Uint16Array;

  private constructor(scales: Scales, centres: readonly Centre[]) {
    this.#scales = scales;
    this.#centres = centres;
    this.#values = new Float32Array(scales.weights.length);
    this.#places = new Uint16Array(scales.weights.length);
  }

  /** Learns at one go. */
  static learn(prompts: readonly string[], count: number): PromptClusters {
    const steps = PromptClusters.learning(prompts, count);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  /** Learns in steps of some milliseconds, between which others may have their turn. */
  static *learning(prompts: readonly string[], count: number): Generator<undefined, PromptClusters> {
    const scales = yield* scalesOf(prompts);
    const vectors: Vector[] = [];
    for (const [at, prompt] of prompts.entries()) {
      vectors.push(getVector(prompt, scales));
      if (at % PROMPTS_AT_ONCE === 0) yield;
    }
    const centres = yield* findCentres(vectors, Math.min(count, prompts.length, MOST_CLUSTERS), KEPT_COLUMNS);
    // As it is read again, so that it finds the same here as elsewhere.
    return PromptClusters.decode(encode(scales, centres));
  }

  /** Returns whether this version of Attune wrote it. */
  static isReadable(text: string): boolean {
    return text.startsWith(VERSION);
  }

  /** Reads what `encode` wrote; throws a RangeError if that cannot be read. */
  static decode(text: string): PromptClusters {
    return new PromptClusters(...decode(text));
  }

  /** Returns the number of clusters. */
  get count(): number {
    return this.#centres.length;
  }

  /** Writes the clusters down, in about 14 KB. */
  encode(): string {
    return encode(this.#scales, this.#centres);
  }

  /**
   * Returns the number of the cluster that a prompt is nearest to; 0 if there are none. Nothing is allocated for a
   * prompt's words.
   */
  find(prompt: string): number {
    const vector = getVector(prompt, this.#scales, { places: this.#places, values: this.#values });
    return nearest(vector, this.#centres).index;
  }
}

/** Reads a prompt as a vector; into the arrays that are given, if any are. */
function getVector(
  prompt: string,
  { places: placeOf, weights, shapeMeans, shapeDeviations }: Scales,
  into?: { readonly places: Uint16Array; readonly values: Float32Array },
): Vector {
  const { counts, columns, columnCount, shape } = features.read(prompt);
  const places = into?.places ?? new Uint16Array(Math.min(columnCount, weights.length));
  const values = into?.values ?? new Float32Array(places.length);
  let found = 0;
  let square = 0;
  for (let at = 0; at < columnCount; at++) {
    const column = columns[at] ?? 0;
    const place = placeOf[column] ?? 0;
    if (place === 0) continue;
    const value = (1 + Math.log(counts[column] ?? 1)) * (weights[place - 1] ?? 0);
    places[found] = place - 1;
    values[found++] = value;
    square += value * value;
  }
  const length = Math.sqrt(square) || 1;
  for (let at = 0; at < found; at++) values[at] = (values[at] ?? 0) / length;
  const scaled = new Float32Array(SHAPE_WIDTH);
  for (let at = 0; at < SHAPE_WIDTH; at++) {
    const value = ((shape[at] ?? 0) - (shapeMeans[at] ?? 0)) / (shapeDeviations[at] || 1);
    // One prompt of a thousand lines is no cluster of its own.
    scaled[at] = SHAPE_WEIGHT * Math.min(3, Math.max(-3, value));
  }
  return { columns: places.subarray(0, found), values: values.subarray(0, found), shape: scaled };
}

/** Weighs words by how few prompts have them, and keeps those columns in which prompts differ most. */
function* scalesOf(prompts: readonly string[]): Generator<undefined, Scales> {
  const found = new Float64Array(COLUMNS);
  const sums = new Float64Array(COLUMNS);
  const squares = new Float64Array(COLUMNS);
  const means = new Float64Array(SHAPE_WIDTH);
  const shapeSquares = new Float64Array(SHAPE_WIDTH);
  for (const [at, prompt] of prompts.entries()) {
    const { counts, columns, columnCount, shape } = features.read(prompt);
    let square = 0;
    for (let index = 0; index < columnCount; index++) square += (1 + Math.log(counts[columns[index] ?? 0] ?? 1)) ** 2;
    for (let index = 0; index < columnCount; index++) {
      const column = columns[index] ?? 0;
      const value = (1 + Math.log(counts[column] ?? 1)) / Math.sqrt(square || 1);
      found[column] = (found[column] ?? 0) + 1;
      sums[column] = (sums[column] ?? 0) + value;
      squares[column] = (squares[column] ?? 0) + value * value;
    }
    for (const [place, value] of shape.entries()) {
      means[place] = (means[place] ?? 0) + value / prompts.length;
      shapeSquares[place] = (shapeSquares[place] ?? 0) + (value * value) / prompts.length;
    }
    if (at % PROMPTS_AT_ONCE === 0) yield;
  }
  const inverse = found.map((count) => Math.log((prompts.length + 1) / (count + 1)) + 1);
  const spread = squares.map((square, column) => {
    const mean = (sums[column] ?? 0) / (prompts.length || 1);
    return (inverse[column] ?? 0) ** 2 * (square / (prompts.length || 1) - mean * mean);
  });
  const retained = Array.from(spread.keys())
    .filter((column) => (found[column] ?? 0) > 0)
    .sort((one, other) => (spread[other] ?? 0) - (spread[one] ?? 0) || one - other)
    .slice(0, KEPT_COLUMNS);
  return {
    places: getPlaces(retained),
    weights: Float32Array.from(retained, (column) => quantised(inverse[column] ?? 0) * WEIGHT_STEP),
    shapeMeans: Float32Array.from(means),
    shapeDeviations: Float32Array.from(shapeSquares, (square, at) => {
      const variance = square - (means[at] ?? 0) ** 2;
      // What is the same in all is left with what digits lose.
      return variance > LEAST_VARIANCE ? Math.sqrt(variance) : 1;
    }),
  };
}

function quantised(weight: number): number {
  return Math.min(255, Math.round(weight / WEIGHT_STEP));
}

function getPlaces(columns: Iterable<number>): Uint16Array {
  const places = new Uint16Array(COLUMNS);
  let place = 0;
  for (const column of columns) places[column] = ++place;
  return places;
}

/**
 * The version and then base64 of: the numbers of columns and of clusters (16 bits each); the columns (16 bits each) and
 * their weights (8 bits each); means and deviations of the shape; of each cluster its shape, a scale, and its words in
 * 255ths of that (8 bits each). Little endian, 32 bit floats.
 */
function encode({ places, weights, shapeMeans, shapeDeviations }: Scales, centres: readonly Centre[]): string {
  const columns = new Uint16Array(weights.length);
  for (const [column, place] of places.entries()) if (place > 0) columns[place - 1] = column;
  const bytes = new DataView(new ArrayBuffer(getSize(columns.length, centres.length)));
  const write = new Cursor(bytes);
  write.short(columns.length);
  write.short(centres.length);
  for (const column of columns) write.short(column);
  for (const weight of weights) write.byte(quantised(weight));
  for (const value of [...shapeMeans, ...shapeDeviations]) write.float(value);
  for (const { words, shape } of centres) {
    for (const value of shape) write.float(value);
    const most = words.reduce((high, value) => Math.max(high, value), 0);
    write.float(most);
    for (let at = 0; at < columns.length; at++)
      write.byte(most === 0 ? 0 : Math.round((255 * (words[at] ?? 0)) / most));
  }
  return VERSION + Buffer.from(bytes.buffer).toString("base64");
}

function decode(text: string): [Scales, Centre[]] {
  if (!PromptClusters.isReadable(text)) throw new RangeError("these are clusters of another version");
  const buffer = Buffer.from(text.slice(VERSION.length), "base64");
  const bytes = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  if (bytes.byteLength < 4) throw new RangeError("clusters are cut short");
  const read = new Cursor(bytes);
  const [columnCount, count] = [read.nextShort(), read.nextShort()];
  if (columnCount > KEPT_COLUMNS || count > MOST_CLUSTERS || bytes.byteLength !== getSize(columnCount, count)) {
    throw new RangeError("clusters are cut short");
  }
  const floats = (length: number) => Float32Array.from({ length }, () => read.nextFloat());
  const scales: Scales = {
    places: getPlaces(Array.from({ length: columnCount }, () => read.nextShort() % COLUMNS)),
    weights: Float32Array.from({ length: columnCount }, () => read.nextByte() * WEIGHT_STEP),
    shapeMeans: floats(SHAPE_WIDTH),
    shapeDeviations: floats(SHAPE_WIDTH),
  };
  const centres = Array.from({ length: count }, () => {
    const shape = floats(SHAPE_WIDTH);
    const most = read.nextFloat();
    return withSquare(
      Float32Array.from({ length: columnCount }, () => (read.nextByte() * most) / 255),
      shape,
    );
  });
  return [scales, centres];
}

function getSize(columns: number, clusters: number): number {
  return 4 + 3 * columns + 8 * SHAPE_WIDTH + clusters * (4 * SHAPE_WIDTH + 4 + columns);
}

class Cursor {
  readonly #bytes: DataView;
  #at = 0;

  constructor(bytes: DataView) {
    this.#bytes = bytes;
  }

  byte(value: number): void {
    this.#bytes.setUint8(this.#move(1), value);
  }

  short(value: number): void {
    this.#bytes.setUint16(this.#move(2), value, true);
  }

  float(value: number): void {
    this.#bytes.setFloat32(this.#move(4), value, true);
  }

  nextByte(): number {
    return this.#bytes.getUint8(this.#move(1));
  }

  nextShort(): number {
    return this.#bytes.getUint16(this.#move(2), true);
  }

  nextFloat(): number {
    return this.#bytes.getFloat32(this.#move(4), true);
  }

  #move(by: number): number {
    const at = this.#at;
    this.#at += by;
    return at;
  }
}
