import type { Frames } from "./frames.ts";
import type { SearchCallPart } from "./output-part.ts";
import type { PartWriter } from "./part-writer.ts";

/** The place of a search in its stream, and whether its item begins with the block that is written. */
interface SearchPlace {
  readonly place: string;
  readonly isNew: boolean;
}

/** Writes the events of a web search that the provider of another format ran. */
export class SearchWriter implements PartWriter {
  readonly #part: SearchCallPart;
  readonly #place: SearchPlace;
  readonly #frames: Frames;

  constructor(part: SearchCallPart, place: SearchPlace, frames: Frames) {
    this.#part = part;
    this.#place = place;
    this.#frames = frames;
  }

  open(): string {
    const begun = this.#place.isNew ? this.#event("in_progress") + this.#event("searching") : "";
    return this.#part.outcome === "completed" ? begun + this.#event("completed") : begun;
  }

  delta(): string {
    return "";
  }

  close(): string {
    return "";
  }

  #event(state: string): string {
    return this.#frames.event(`response.web_search_call.${state}`, this.#place.place);
  }
}
