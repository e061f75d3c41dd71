import { isModelName, MAX_MODEL_NAME, MODEL_NAME_RULE } from "../catalog/model-name.ts";
import type { ImportNote } from "./import-error.ts";
import type { WrittenModel } from "./write-config.ts";

/** A model as one entry of a file has it, with one place or more. */
export interface PlacedModel extends WrittenModel {
  /** The entry's place in its file. */
  readonly path: string;
}

/**
 * Joins the entries of one name: each place keeps its own price and window where they differ. What a place cannot
 * have by itself comes from the first entry that says it, and others are noted.
 */
export function joinPlaces(entries: readonly [PlacedModel, ...PlacedModel[]], notes: ImportNote[]): WrittenModel {
  const [{ path, name, family, aliases, embeddings }] = entries;
  const prices = new Set(entries.map(({ price }) => JSON.stringify(price)));
  const windows = entries.flatMap(({ contextWindow }) => contextWindow ?? []);
  const window = windows.length === 0 ? undefined : Math.max(...windows);
  const shared = Object.fromEntries(SHARED.flatMap((member) => readShared(member, entries, notes)));
  return {
    name: fitName(name, path, notes),
    ...(aliases && { aliases }),
    family,
    ...(embeddings && { embeddings }),
    ...(window !== undefined && { contextWindow: window }),
    ...shared,
    ...(prices.size === 1 && entries[0].price !== undefined && { price: entries[0].price }),
    deployments: entries.flatMap(({ deployments, price, contextWindow }) =>
      deployments.map((deployment) => ({
        ...deployment,
        // A copy: YAML would name one that stands there twice, and refer to it.
        ...(prices.size > 1 && price !== undefined && { price: structuredClone(price) }),
        ...(contextWindow !== undefined && contextWindow !== window && { contextWindow }),
      })),
    ),
  };
}

/** Writes a name with what names of models may have. */
function fitName(name: string, path: string, notes: ImportNote[]): string {
  if (isModelName(name)) return name;
  const fit = name
    .replaceAll(/[^A-Za-z0-9._:/@+-]+/g, "-")
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9_+-]+$|-+$/g, "")
    .slice(0, MAX_MODEL_NAME);
  notes.push({ path, text: `'${name}' is called '${fit}': a name ${MODEL_NAME_RULE}` });
  return fit;
}

const SHARED = ["maxInputTokens", "maxOutputTokens", "thinking"] as const;

/** Returns the member as the first entry that has it says it. */
function readShared(
  member: (typeof SHARED)[number],
  entries: readonly PlacedModel[],
  notes: ImportNote[],
): [string, unknown][] {
  const first = entries.find((entry) => entry[member] !== undefined);
  if (first === undefined) return [];
  for (const { path, name, [member]: value } of entries) {
    if (value === undefined || value === first[member]) continue;
    notes.push({ path, text: `${member} ${value} is left out: another place of '${name}' has ${first[member]}` });
  }
  return [[member, first[member]]];
}
