/** Begins what `encode` writes. */
const VERSION = "templates-1:";
/** The most templates, and the part of the prompts that each of them has at least. */
const MOST_TEMPLATES = 15;
const LEAST_SHARE = 0.05;

/**
 * Tells prompts of one family apart by their templates, which differ in a few words: each is a cluster of its own, and
 * all that are rare are one.
 */
export class TemplateClusters {
  readonly #numbers: ReadonlyMap<string, number>;

  private constructor(templates: readonly string[]) {
    this.#numbers = new Map(templates.map((template, number) => [template, number]));
  }

  /** Finds the templates that are common among those of prompts; undefined where all are of one, or none is common. */
  static among(templates: readonly string[]): TemplateClusters | undefined {
    const counts = new Map<string, number>();
    for (const template of templates) counts.set(template, (counts.get(template) ?? 0) + 1);
    const common = [...counts].filter(([, count]) => count >= LEAST_SHARE * templates.length);
    if (counts.size < 2 || common.length === 0) return undefined;
    common.sort(([one, ofOne], [other, ofOther]) => ofOther - ofOne || (one < other ? -1 : 1));
    return new TemplateClusters(common.slice(0, MOST_TEMPLATES).map(([template]) => template));
  }

  /** Returns whether this version of Attune wrote it. */
  static isReadable(text: string): boolean {
    return text.startsWith(VERSION);
  }

  /** Reads what `encode` wrote. */
  static decode(text: string): TemplateClusters {
    return new TemplateClusters(text.slice(VERSION.length).split(","));
  }

  encode(): string {
    return VERSION + [...this.#numbers.keys()].join(",");
  }

  /** Returns the number of a template's cluster. */
  find(template: string): number {
    return this.#numbers.get(template) ?? this.#numbers.size;
  }
}
