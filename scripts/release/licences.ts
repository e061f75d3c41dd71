import type { Package } from "./packages.ts";

const RULE = "-".repeat(80);

/** Returns the licences of the packages, in one text. */
export function licencesOf(packages: readonly Package[]): string {
  const sections = packages.map(({ name, version, license, texts }) =>
    [
      `${name} ${version} (${license})`,
      ...(texts.length > 0 ? texts : ["The package has no file of its licence."]),
    ].join("\n\n"),
  );
  return `${["Attune contains these packages, under their licences.", ...sections].join(`\n\n${RULE}\n`)}\n`;
}
