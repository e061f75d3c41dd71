import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { LossList } from "../../shared/losses.ts";

/** Lists of the hub's request that a body of Messages has too. */
type ListName = "system" | "messages" | "tools";

/**
 * Takes losses by their places in a body of Messages. Where messages of the hub were moved or joined in it, the place
 * is the whole list.
 */
export class BodyLosses {
  readonly #losses: LossList;
  readonly #input: HubInput;
  readonly #body: JsonObject;

  constructor(losses: LossList, input: HubInput, body: JsonObject) {
    this.#losses = losses;
    this.#input = input;
    this.#body = body;
  }

  at(path: string): void {
    if (this.#isExact(path)) this.#losses.at(path);
    else for (const list of this.#sourcesOf(path)) this.#losses.at(list);
  }

  /** A member is lost that only Messages knows. */
  member(path: string, name: string): void {
    if (this.#isExact(path)) this.#losses.member(path, name);
    else this.at(path);
  }

  #isExact(path: string): boolean {
    const list = getList(path);
    const items = this.#body[list];
    const isComplete = Array.isArray(items) && items.length === this.#input[list].length;
    return isComplete && (list === "tools" || this.#input.dialect === Dialect.MESSAGES);
  }

  /** Instructions may have stood among the messages. */
  #sourcesOf(path: string): readonly ListName[] {
    const list = getList(path);
    if (list !== "system") return [list];
    return this.#input.system.length > 0 ? ["system", "messages"] : ["messages"];
  }
}

function getList(path: string): ListName {
  return path.startsWith("system") ? "system" : path.startsWith("tools") ? "tools" : "messages";
}
