import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isBasePath, readBasePath, removeBasePath } from "../../src/lib/base-path.ts";

describe("isBasePath()", () => {
  it.each(["", "/attune", "/tools/attune", "/a.b_c~d-1", "/attune-2", "/tools/dashboard", "/v1beta"])(
    "takes %j",
    (path) => {
      expect(isBasePath(path)).toBe(true);
    },
  );

  it.each(["/", "/a/", "//a", "/a//b", "/a%20b", "/a;b", "/a,b", '/a"b', "/tools/v1", "/v1/attune"])(
    "refuses %j",
    (path) => {
      expect(isBasePath(path)).toBe(false);
    },
  );

  // A proxy that leaves the path and one that takes it off could not be told apart.
  it("refuses what begins as a path of Attune's own", () => {
    const file = join(import.meta.dirname, "../../docs/openapi.json");
    const { paths } = JSON.parse(readFileSync(file, "utf8")) as { paths: Record<string, unknown> };
    const services = ["/attune.inference.v1.InferenceService", "/grpc.health.v1.Health"];
    for (const path of [...Object.keys(paths), "/dashboard", "/metrics", ...services]) {
      expect([path, isBasePath(`/${path.split("/")[1]}`)]).toEqual([path, false]);
    }
  });
});

describe("readBasePath()", () => {
  it.each([
    [undefined, ""],
    ["https://a.example", ""],
    ["https://a.example/", ""],
    ["https://a.example/tools/attune/", "/tools/attune"],
  ])("%s", (url, path) => {
    expect(readBasePath(url)).toBe(path);
  });
});

describe("removeBasePath()", () => {
  it.each([
    ["/attune/v1/models?a=/attune", "/v1/models?a=/attune"],
    ["/attune", "/"],
    ["/attune/", "/"],
    ["/attune?a", "/?a"],
    ["/v1/models", "/v1/models"],
    ["/attune.inference.v1.InferenceService/Create", "/attune.inference.v1.InferenceService/Create"],
    ["/attune-2/v1", "/attune-2/v1"],
    ["*", "*"],
  ])("%s", (url, rest) => {
    expect(removeBasePath(url, "/attune")).toBe(rest);
  });
});
