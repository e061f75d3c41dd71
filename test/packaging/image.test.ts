import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const DOCKERFILE = readFileSync(join(ROOT, "packaging", "Dockerfile"), "utf8");

/** The folder that the first stage makes the release in. */
const [, folder = ""] = /^WORKDIR (.+)$/m.exec(DOCKERFILE) ?? [];

describe("the build of the image", () => {
  it("stands in a folder that paths of the sources do not name, for which a release is searched", () => {
    expect(folder).not.toBe("");
    for (const path of ["../src/cli.ts", "../scripts/x", "../gen/x", "../proto/x", "/etc/attune/", "../node_modules/x"])
      expect(path).not.toContain(folder);
  });

  it("names the folder of the release to the script itself, to which npm hands no --", () => {
    const [, words = ""] = /^RUN node scripts\/run\.mjs release (.+?) &&/m.exec(DOCKERFILE) ?? [];
    expect(words).toBe("/release");
    expect(DOCKERFILE).toContain("COPY --from=build /release/attune /opt/attune");
  });
});
