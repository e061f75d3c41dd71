import { isJsonObject } from "../../src/formats/shared/json.ts";

/** Finds what stands at a place of a body, such as `messages[0].content[1].text`; undefined if nothing does. */
export function findPlace(body: unknown, place: string): unknown {
  return place
    .split(/[.[\]]+/)
    .filter((name) => name !== "")
    .reduce<unknown>((value, name) => {
      if (Array.isArray(value)) return value[Number(name)];
      return isJsonObject(value) ? value[name] : undefined;
    }, body);
}
