/** Columns that words are hashed to; a power of two. */
export const COLUMNS = 4096;
/** Characters of a prompt that are looked at. */
const MOST_CHARACTERS = 2000;
/** The number of features of a prompt's shape. */
export const SHAPE_WIDTH = 10;

/** The features of a prompt. The next prompt overwrites them, so that nothing is allocated for each. */
export class PromptFeatures {
  /** The count of each column's words; columns in the order of their first words. */
  readonly counts = new Uint16Array(COLUMNS);
  readonly columns = new Uint16Array(COLUMNS);
  columnCount = 0;
  readonly shape = new Float64Array(SHAPE_WIDTH);

  /**
   * Reads the first characters of a prompt. Words are runs of letters, runs of digits, and each other character that
   * shows.
   */
  read(prompt: string): this {
    for (let at = 0; at < this.columnCount; at++) this.counts[this.columns[at] ?? 0] = 0;
    this.columnCount = 0;
    const length = Math.min(prompt.length, MOST_CHARACTERS);
    const seen = new Uint32Array(SEEN);
    let hash = BASIS;
    let last: Kind = SPACE;
    for (let at = 0; at < length; at++) {
      const code = prompt.charCodeAt(at);
      const kind = getKind(code);
      count(seen, code, kind);
      if ((kind !== last || kind === SYMBOL) && last !== SPACE) {
        this.#add(hash);
        hash = BASIS;
      }
      if (kind !== SPACE) hash = Math.imul(hash ^ (isUpper(code) ? code + 32 : code), PRIME);
      last = kind;
    }
    if (last !== SPACE) this.#add(hash);
    this.#describe(prompt, length, seen);
    return this;
  }

  #add(hash: number): void {
    const column = (hash ^ (hash >>> 15)) & (COLUMNS - 1);
    const before = this.counts[column] ?? 0;
    if (before === 0) this.columns[this.columnCount++] = column;
    this.counts[column] = before + 1;
  }

  #describe(prompt: string, length: number, seen: Uint32Array): void {
    const { shape } = this;
    const text = prompt.slice(0, length);
    shape[0] = Math.log(1 + prompt.length);
    shape[1] = Math.log(1 + (seen[LINES] ?? 0));
    for (let of = DIGITS; of <= FOREIGN; of++) shape[of + 1] = (seen[of] ?? 0) / (length + 1);
    shape[7] = text.trimEnd().endsWith("?") ? 1 : 0;
    shape[8] = /^[ \t]{0,8}\(?[A-E][).:]/m.test(text) ? 1 : 0;
    shape[9] = text.includes("```") || /\bdef \w{1,64}\(/.test(text) ? 1 : 0;
  }
}

/** The indexes of character counts. */
const LINES = 0;
const DIGITS = 1;
const UPPER = 2;
const BRACKETS = 3;
const FORMULAS = 4;
const FOREIGN = 5;
const SEEN = 6;

function count(seen: Uint32Array, code: number, kind: Kind): void {
  if (code === 10) seen[LINES] = (seen[LINES] ?? 0) + 1;
  else if (kind === DIGIT) seen[DIGITS] = (seen[DIGITS] ?? 0) + 1;
  else if (isUpper(code)) seen[UPPER] = (seen[UPPER] ?? 0) + 1;
  else if (code > 127) seen[FOREIGN] = (seen[FOREIGN] ?? 0) + 1;
  else if (kind === SYMBOL && OF_CODE.includes(code)) seen[BRACKETS] = (seen[BRACKETS] ?? 0) + 1;
  else if (kind === SYMBOL && OF_FORMULAS.includes(code)) seen[FORMULAS] = (seen[FORMULAS] ?? 0) + 1;
}

const OF_CODE = Uint8Array.from("{}()[];=<>", (character) => character.charCodeAt(0));
const OF_FORMULAS = Uint8Array.from("$\\^", (character) => character.charCodeAt(0));

const SPACE = 0;
const LETTER = 1;
const DIGIT = 2;
const SYMBOL = 3;
type Kind = typeof SPACE | typeof LETTER | typeof DIGIT | typeof SYMBOL;

/**
 * Beyond ASCII, what is not a sign of Latin-1 counts as a letter: tables of all scripts would cost more than they tell.
 */
function getKind(code: number): Kind {
  if (code <= 32 || code === 127 || code === 160) return SPACE;
  if ((code | 32) >= 97 && (code | 32) <= 122) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code >= 192 ? LETTER : SYMBOL;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** FNV-1a. */
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
