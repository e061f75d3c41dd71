import type { Executor } from "../../database/executor.ts";
import { mostNames, NAME_KINDS, type NameKind, OTHER_NAMES } from "../../entities/rollup-name.ts";
import type { Engine } from "../../types/store.ts";

/** Returns the name that something of a project is counted under. */
export type CountedName = (kind: NameKind, projectId: string, name: string) => string;

/** Names of projects. */
type NamedRows = readonly { readonly projectId: string; readonly name: string }[];

/** The time for which names are cached: names that fell out of use may have made room. */
const KNOWN_MS = 60_000;

interface Known {
  readonly names: ReadonlySet<string>;
  readonly readAtMs: number;
}

/**
 * Tells the names of callers apart, up to a number in each project, the first that come; all others are one. Which
 * these are stands in the database, so that all replicas agree. Two that add names in the same moment may go beyond the
 * number by these.
 */
export class RollupNames {
  readonly #engine: Engine;
  readonly #namesPerProject: number;
  readonly #known = new Map<string, Known>();

  constructor(engine: Engine, namesPerProject: number) {
    this.#engine = engine;
    this.#namesPerProject = namesPerProject;
  }

  /**
   * Finds out what names are counted under, and adds those for which there is room. A transaction asks once, for all
   * its names: what it has added itself must not be read as what is there.
   */
  async tellApart(execute: Executor, rows: Readonly<Partial<Record<NameKind, NamedRows>>>): Promise<CountedName> {
    const apart = new Map<NameKind, ReadonlyMap<string, ReadonlySet<string>>>();
    for (const kind of NAME_KINDS) apart.set(kind, await this.#admitAll(execute, kind, rows[kind] ?? []));
    return (kind, projectId, name) => (name === "" || apart.get(kind)?.get(projectId)?.has(name) ? name : OTHER_NAMES);
  }

  async #admitAll(
    execute: Executor,
    kind: NameKind,
    rows: NamedRows,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const projects = new Map<string, Set<string>>();
    for (const { projectId, name } of rows) {
      const names = projects.get(projectId);
      if (names === undefined) projects.set(projectId, new Set([name]));
      else names.add(name);
    }
    const apart = new Map<string, ReadonlySet<string>>();
    // In one order, so that no two transactions wait for each other.
    for (const [projectId, names] of [...projects].sort(([one], [other]) => (one < other ? -1 : 1))) {
      apart.set(projectId, await this.#admit(execute, { kind, projectId }, names));
    }
    return apart;
  }

  async #admit(
    execute: Executor,
    of: { readonly kind: NameKind; readonly projectId: string },
    names: ReadonlySet<string>,
  ): Promise<ReadonlySet<string>> {
    const isNew = (known: ReadonlySet<string>) => (name: string) => name !== "" && !known.has(name);
    const key = `${of.kind} ${of.projectId}`;
    const before = this.#known.get(key);
    if (before !== undefined && ![...names].some(isNew(before.names))) return before.names;
    const most = mostNames(of.kind, this.#namesPerProject);
    if (before !== undefined && before.names.size >= most && performance.now() - before.readAtMs < KNOWN_MS) {
      return before.names;
    }
    const known = await this.#read(execute, of);
    // In one order, as above.
    const added = [...names]
      .filter(isNew(known))
      .sort()
      .slice(0, Math.max(0, most - known.size));
    if (added.length === 0) {
      this.#known.set(key, { names: known, readAtMs: performance.now() });
      return known;
    }
    // Known for good once the transaction is: they are read again.
    this.#known.delete(key);
    await this.#insert(execute, of, added);
    return new Set([...known, ...added]);
  }

  async #read(execute: Executor, { kind, projectId }: { kind: NameKind; projectId: string }): Promise<Set<string>> {
    const [id, of] = this.#marks(2);
    const sql = `select name from rollup_name where project_id = ${id} and kind = ${of}`;
    return new Set((await execute<{ name: string }>(sql, [projectId, kind])).map(({ name }) => name));
  }

  async #insert(
    execute: Executor,
    { kind, projectId }: { kind: NameKind; projectId: string },
    names: readonly string[],
  ): Promise<void> {
    const [id, of, name] = this.#marks(3);
    const sql = `insert into rollup_name (project_id, kind, name) values (${id}, ${of}, ${name})
      on conflict do nothing`;
    for (const added of names) await execute(sql, [projectId, kind, added]);
  }

  #marks(count: number): string[] {
    return Array.from({ length: count }, (_, index) =>
      this.#engine === "postgres" ? `$${index + 1}` : `?${index + 1}`,
    );
  }
}
