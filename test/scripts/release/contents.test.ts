import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeArchive } from "../../../scripts/release/archive.ts";
import { licencesOf } from "../../../scripts/release/licences.ts";
import { readLockHashes } from "../../../scripts/release/lock-hashes.ts";
import { findPackages } from "../../../scripts/release/packages.ts";
import { sbomOf } from "../../../scripts/release/sbom.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-release-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function addPackage(path: string, manifest: object, files: Readonly<Record<string, string>> = {}): string {
  const place = join(folder, "node_modules", path);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  return place;
}

describe("findPackages()", () => {
  it("lists each package of the files once, by name and version, with its licence", () => {
    const one = addPackage(
      "@of/one",
      { name: "@of/one", version: "1.2.3", license: "MIT", dependencies: { two: "2", absent: "1" } },
      { LICENSE: "Free\r\n" },
    );
    const inner = addPackage("@of/one/node_modules/two", { name: "two", version: "2.0.0", license: "ISC" });
    const files = [join(one, "b.js"), `\0${join(one, "c.js")}?commonjs`, join(inner, "lib", "a.js"), "/src/own.ts"];
    expect(findPackages(files)).toEqual([
      { name: "@of/one", version: "1.2.3", license: "MIT", texts: ["Free"], folder: one, needs: ["two@2.0.0"] },
      { name: "two", version: "2.0.0", license: "ISC", texts: [], folder: inner, needs: [] },
    ]);
  });

  it("refuses a package that does not say its licence", () => {
    const place = addPackage("three", { name: "three", version: "3.0.0" });
    expect(() => findPackages([join(place, "a.js")])).toThrow("package.json does not say its licence");
  });
});

it("lists packages in CycloneDX, with their hashes, what needs what, and expressions of several licences", () => {
  const packages = [
    {
      name: "@of/one",
      version: "1.2.3",
      license: "MIT",
      texts: [],
      folder: "a",
      needs: ["built-only@1.0.0", "two@2.0.0"],
    },
    { name: "two", version: "2.0.0", license: "(MIT OR Apache-2.0)", texts: [], folder: "b", needs: [] },
  ];
  const hashOf = ({ folder: of }: { readonly folder: string }) => (of === "a" ? "abcd" : undefined);
  const given = { packages, own: ["@of/one", "vitest"], hashOf };
  expect(sbomOf({ version: "9.9.9", license: "Apache-2.0" }, given)).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { type: "application", purl: "pkg:npm/attune@9.9.9" } },
    components: [
      {
        type: "library",
        purl: "pkg:npm/%40of/one@1.2.3",
        licenses: [{ license: { id: "MIT" } }],
        hashes: [{ alg: "SHA-512", content: "abcd" }],
      },
      { type: "library", purl: "pkg:npm/two@2.0.0", licenses: [{ expression: "(MIT OR Apache-2.0)" }] },
    ],
    dependencies: [
      { ref: "pkg:npm/attune@9.9.9", dependsOn: ["pkg:npm/%40of/one@1.2.3"] },
      { ref: "pkg:npm/%40of/one@1.2.3", dependsOn: ["pkg:npm/two@2.0.0"] },
      { ref: "pkg:npm/two@2.0.0", dependsOn: [] },
    ],
  });
});

it("reads the hash of each installed archive from the lock", () => {
  const integrity = `sha512-${Buffer.from("0123", "hex").toString("base64")}`;
  const lock = { packages: { "node_modules/one/node_modules/two": { integrity }, "node_modules/one": {} } };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  const hashOf = readLockHashes(folder);
  const places = ["node_modules/one/node_modules/two", "node_modules/one", "node_modules/three"];
  expect(places.map((place) => hashOf({ folder: join(folder, place) }))).toEqual(["0123", undefined, undefined]);
});

it("gives the text of each licence", () => {
  const text = licencesOf([{ name: "one", version: "1.0.0", license: "MIT", texts: ["Free", "Notice"] }]);
  expect(text).toContain("\none 1.0.0 (MIT)\n\nFree\n\nNotice\n");
});

it("writes the same archive whatever the times and the order of writing", () => {
  const hashes = ["first", "second"].map((name, index) => {
    const place = join(folder, name, "attune");
    mkdirSync(place, { recursive: true });
    const files = ["a.js", "b.js"];
    for (const file of index === 0 ? files : files.reverse()) {
      writeFileSync(join(place, file), file);
      utimesSync(join(place, file), index, index);
    }
    return writeArchive(place, join(folder, `${name}.tgz`));
  });
  expect(hashes[1]).toBe(hashes[0]);
  expect(readFileSync(join(folder, "first.tgz.sha256"), "utf8")).toBe(`${hashes[0]}  first.tgz\n`);
});
