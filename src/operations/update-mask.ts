import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { InferenceError } from "../hub/error.ts";

/**
 * Reads what an update changes, of the paths that it may change. `isSet` tells which of these have a value in the
 * request. Throws INVALID_REQUEST for a path that is none of them, and for a value that no path names.
 */
export function readMask(
  mask: FieldMask | undefined,
  known: readonly string[],
  isSet: (path: string) => boolean,
): readonly string[] {
  const paths = mask?.paths ?? [];
  if (paths.length === 0) throw InferenceError.invalid("update_mask", `must name what changes: ${known.join(", ")}`);
  const stranger = paths.find((path) => !known.includes(path));
  if (stranger !== undefined) {
    throw InferenceError.invalid("update_mask", `names '${stranger.slice(0, 64)}', and can name ${known.join(", ")}`);
  }
  const isNamed = (path: string) => paths.some((each) => path === each || path.startsWith(`${each}.`));
  const isWithin = (path: string) => paths.some((each) => each.startsWith(`${path}.`));
  const forgotten = known.find((path) => isSet(path) && !isNamed(path) && !isWithin(path));
  if (forgotten === undefined) return paths;
  const problem = "is set, and update_mask does not name it: name it, or leave it out";
  throw InferenceError.invalid(`update.${forgotten}`, problem);
}
