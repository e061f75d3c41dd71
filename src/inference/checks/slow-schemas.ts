import { LRUCache } from "lru-cache";
import type { JsonQuestion } from "./judge-json.ts";

/** The time for which it is remembered, and the number of schemas and projects. */
const TTL_MS = 300_000;
const MAX_SCHEMAS = 10_000;
const MAX_PROJECTS = 1000;

/**
 * Remembers schemas that took too long, by their projects: whoever sends one again and again would keep the thread from
 * all others. Another project's texts may well be judged by the same one.
 */
export class SlowSchemas {
  readonly #schemas = new LRUCache<string, true>({ max: MAX_SCHEMAS, ttl: TTL_MS });
  readonly #projects = new LRUCache<string, true>({ max: MAX_PROJECTS, ttl: TTL_MS });

  /** Takes note of what took long; of the project alone where no single schema did. */
  add(projectId: string, questions: readonly Pick<JsonQuestion, "schema">[]): void {
    this.#projects.set(projectId, true);
    for (const { schema } of questions) if (schema !== undefined) this.#schemas.set(keyOf(projectId, schema), true);
  }

  /** Tells whether a schema took too long. */
  has(projectId: string, schema: JsonQuestion["schema"]): boolean {
    return schema !== undefined && this.#schemas.has(keyOf(projectId, schema));
  }

  /** Tells whether anything of a project took long. */
  areOf(projectId: string): boolean {
    return this.#projects.has(projectId);
  }
}

function keyOf(projectId: string, { digest }: NonNullable<JsonQuestion["schema"]>): string {
  return `${projectId} ${digest}`;
}
