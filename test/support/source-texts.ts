import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SRC = join(import.meta.dirname, "..", "..", "src");

/** Returns the texts of the source files of rooms. */
export function sourceTexts(rooms: readonly string[]): readonly string[] {
  return rooms
    .flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: SRC }))
    .map((file) => readFileSync(join(SRC, file), "utf8"));
}
