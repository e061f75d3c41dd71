import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { configJsonSchema, projectsJsonSchema } from "../../src/config/json-schema.ts";

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

describe("docs/attune.schema.json", () => {
  const schema: object = JSON.parse(read("docs/attune.schema.json"));
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

  it("is up to date: run scripts/make-config-schema.ts", () => {
    expect(schema).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
  });

  it("accepts the example as it is written", () => {
    expect(validate(parse(read("attune.example.yaml"))), JSON.stringify(validate.errors)).toBe(true);
  });

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the references are what is tested here.
  it.each([{}, { server: { port: "${PORT:-80}" } }, { prefix: "a-${B}", database: { url: "${DATABASE_URL}" } }])(
    "accepts %j",
    (config) => {
      expect(validate(config)).toBe(true);
    },
  );

  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
  it.each([
    { prefx: "a" },
    { server: { port: "80x" } },
    { upstreams: { a: { kind: "openai" } } },
    { models: [{ name: "m" }] },
    { prefix: "a/b" },
  ])("refuses %j", (config) => {
    expect(validate(config)).toBe(false);
  });
});

describe("docs/projects.schema.json", () => {
  const schema: object = JSON.parse(read("docs/projects.schema.json"));
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

  it("is up to date: run scripts/make-config-schema.ts", () => {
    expect(schema).toEqual(JSON.parse(JSON.stringify(projectsJsonSchema())));
  });

  it("accepts the example as it is written, and refuses what is not known", () => {
    expect(validate(parse(read("docs/projects.example.yaml"))), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ projects: [{ name: "a", kesy: [] }] })).toBe(false);
  });
});
