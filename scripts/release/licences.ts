import type { Package } from "./packages.ts";

const RULE = "-".repeat(80);

/** The subject of a licence, and its texts. */
type Licensed = Pick<Package, "name" | "version" | "license" | "texts">;

/** Returns the licences of packages and of what else others made, in one text. */
export function licencesOf(licensed: readonly Licensed[]): string {
  const sections = licensed.map(({ name, version, license, texts }) =>
    [
      `${name} ${version} (${license})`,
      ...(texts.length > 0 ? texts : ["The package has no file of its licence."]),
    ].join("\n\n"),
  );
  return `${["Attune contains these packages, under their licences.", ...sections].join(`\n\n${RULE}\n`)}\n`;
}
