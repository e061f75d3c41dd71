import { ImportError } from "./import-error.ts";

/** A map of settings. */
type Settings = Readonly<Record<string, unknown>>;

/**
 * A map of settings that ticks off what is taken from it: what nobody took has no counterpart, and is told by its path.
 */
export class SettingsView {
  readonly path: string;
  readonly #settings: Settings;
  readonly #taken = new Set<string>();
  readonly #maps = new Map<string, SettingsView>();
  readonly #lists: SettingsView[] = [];

  constructor(settings: unknown, path = "") {
    if (!isSettings(settings)) throw new ImportError(`${path === "" ? "the file" : path} must be a map`);
    this.#settings = settings;
    this.path = path;
  }

  pathOf(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#settings, key);
  }

  /** Takes a value; null is none. */
  take(key: string): unknown {
    this.#taken.add(key);
    return this.#settings[key] ?? undefined;
  }

  /** Takes a text; undefined if there is none. Numbers and booleans are taken as they are written. */
  text(key: string): string | undefined {
    const value = this.take(key);
    if (value === undefined) return undefined;
    if (typeof value === "object") throw new ImportError(`${this.pathOf(key)} must be a text`);
    return String(value);
  }

  /** Takes a number, or a text that is one; undefined if there is none. */
  number(key: string): number | undefined {
    const text = this.text(key);
    if (text === undefined || text.trim() === "") return undefined;
    const number = Number(text);
    if (Number.isNaN(number)) throw new ImportError(`${this.pathOf(key)} must be a number, and is '${text}'`);
    return number;
  }

  /** Takes a map, whose own members are ticked off in turn; an empty one if there is none, and the same each time. */
  map(key: string): SettingsView {
    const known = this.#maps.get(key);
    if (known !== undefined) return known;
    const child = new SettingsView(this.take(key) ?? {}, this.pathOf(key));
    this.#maps.set(key, child);
    return child;
  }

  /** Takes a list of maps. */
  maps(key: string): SettingsView[] {
    const list = this.take(key) ?? [];
    if (!Array.isArray(list)) throw new ImportError(`${this.pathOf(key)} must be a list`);
    const children = list.map((item, index) => new SettingsView(item, `${this.pathOf(key)}[${index}]`));
    this.#lists.push(...children);
    return children;
  }

  /** The members of the map, without ticking them off. */
  get entries(): readonly (readonly [string, unknown])[] {
    return Object.entries(this.#settings);
  }

  /** Takes all that is in it. */
  takeAll(): void {
    for (const key of Object.keys(this.#settings)) this.#taken.add(key);
  }

  /** Paths and names of all that nobody took, here and in the maps that were taken from it. */
  get left(): { readonly path: string; readonly key: string }[] {
    const own = Object.keys(this.#settings).filter((key) => !this.#taken.has(key));
    return [
      ...own.map((key) => ({ path: this.pathOf(key), key })),
      ...[...this.#lists, ...this.#maps.values()].flatMap((child) => child.left),
    ];
  }
}

export function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
