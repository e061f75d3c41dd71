import type { Package } from "./packages.ts";

interface Product {
  readonly version: string;
  readonly license: string;
}

/**
 * Returns the bill of materials of a release in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), without the
 * serial number and the time, which would differ with each build.
 */
export function sbomOf({ version, license }: Product, packages: readonly Package[]): object {
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: componentOf("application", { name: "attune", version, license }) },
    components: packages.map((found) => componentOf("library", found)),
  };
}

function componentOf(type: string, { name, version, license }: Omit<Package, "texts">): object {
  // https://github.com/package-url/purl-spec: the @ of a scope is written as %40.
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type, "bom-ref": purl, name, version, licenses: [licenseOf(license)], purl };
}

/** An identifier of SPDX stands for itself; what is put together of several is an expression. */
function licenseOf(license: string): object {
  return /[ ()]/.test(license) ? { expression: license } : { license: { id: license } };
}
