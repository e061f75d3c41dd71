import type { Package } from "./packages.ts";

interface Product {
  readonly version: string;
  readonly license: string;
}

/** The packages of a release. */
interface Packages {
  readonly packages: readonly Package[];
  /** Names of those that Attune itself needs. */
  readonly own: readonly string[];
  /** Returns the SHA-512 in hex of the archive that a package was installed from; undefined where nobody knows it. */
  readonly hashOf: (found: Package) => string | undefined;
}

/**
 * Returns the bill of materials of a release in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), without the
 * serial number and the time, which would differ with each build.
 */
export function sbomOf({ version, license }: Product, { packages, own, hashOf }: Packages): object {
  const product = { name: "attune", version, license };
  const purls = new Map(packages.map((found) => [`${found.name}@${found.version}`, purlOf(found)]));
  const refs = (needs: readonly string[]) => needs.flatMap((needed) => purls.get(needed) ?? []);
  const direct = packages.filter(({ name }) => own.includes(name)).map(({ name, version: its }) => `${name}@${its}`);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: componentOf("application", product) },
    components: packages.map((found) => componentOf("library", found, hashOf(found))),
    // What has no code in the release is in neither list.
    dependencies: [
      { ref: purlOf(product), dependsOn: refs(direct) },
      ...packages.map((found) => ({ ref: purlOf(found), dependsOn: refs(found.needs) })),
    ],
  };
}

/** The name, the version and the licence of a component. */
type Named = Pick<Package, "name" | "version" | "license">;

function componentOf(type: string, named: Named, sha512?: string): object {
  const { name, version, license } = named;
  const purl = purlOf(named);
  const hashes = sha512 === undefined ? {} : { hashes: [{ alg: "SHA-512", content: sha512 }] };
  return { type, "bom-ref": purl, name, version, ...hashes, licenses: [licenseOf(license)], purl };
}

function purlOf({ name, version }: Named): string {
  // https://github.com/package-url/purl-spec: the @ of a scope is written as %40.
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** An identifier of SPDX stands for itself; what is put together of several is an expression. */
function licenseOf(license: string): object {
  return /[ ()]/.test(license) ? { expression: license } : { license: { id: license } };
}
