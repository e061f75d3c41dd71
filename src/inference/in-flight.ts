/** The inferences that are under way in this process: their ids are out, their records are not yet made. */
export class InFlight {
  readonly #projects = new Map<string, string>();

  /** An inference has begun. */
  add(id: string, projectId: string): void {
    this.#projects.set(id, projectId);
  }

  /** Its record was handed to the recorder. */
  delete(id: string): void {
    this.#projects.delete(id);
  }

  /** Returns the project of an inference that is under way. */
  projectOf(id: string): string | undefined {
    return this.#projects.get(id);
  }

  /** How many are under way. */
  get size(): number {
    return this.#projects.size;
  }
}
