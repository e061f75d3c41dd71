import { readFileSync } from "node:fs";
import { type FastifyInstance, fastify } from "fastify";
import { describe, expect, it } from "vitest";
import { facade } from "../../src/facade/plugin.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { API_PARTS, createDocument } from "../../src/openapi/document.ts";
import { ANSWER_HEADERS, REQUEST_HEADERS } from "../../src/openapi/headers.ts";
import { openApiText } from "../../src/openapi/text.ts";
import { addOpenApiRoute } from "../../src/server/create-server.ts";
import { addHealthRoutes } from "../../src/server/health.ts";
import { sourceTexts } from "../support/source-texts.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Operations as the document names them: `get /v1/responses/{id}`. */
const documented = API_PARTS.flatMap(({ operations }) => operations).map(({ method, path }) => `${method} ${path}`);

/** Makes the public API without what is behind it, and notes its paths. */
async function createApi(): Promise<{ app: FastifyInstance; urls: ReadonlySet<string> }> {
  const app = fastify();
  const urls = new Set<string>();
  app.addHook("onRoute", ({ url }) => void urls.add(url));
  addHealthRoutes(app, { instance: "1", readiness: () => ({ isReady: true, checks: {} }) });
  addOpenApiRoute(app);
  const refuse = () => {
    throw new InferenceError(ErrorReason.UNAUTHENTICATED, "no key");
  };
  const options = {
    clients: { admin: {} },
    admit: refuse,
    admitAdmin: refuse,
    admitFeedback: refuse,
    noteFailed() {},
    browserOrigins: [],
    openSummary: () => ({ end() {}, fail() {} }),
    limits: { bodyBytes: 1024, receivingBytes: 1024, projectShare: 1 },
  };
  app.decorateRequest("summary", undefined);
  app.decorateRequest("answer", undefined);
  await app.register(async (scope) => await facade(scope, options as never));
  await app.ready();
  return { app, urls };
}

/** Returns the path of a route as the document has it. */
function documentedPath(url: string): string {
  return url.replace(/:(\w+)/g, "{$1}").replace("*", "{id}");
}

describe("createDocument()", () => {
  it("has exactly the operations that are served", async () => {
    const { app, urls } = await createApi();
    const served: string[] = [];
    for (const url of urls) {
      const path = url.replace(/:\w+|\*/g, "01a21d33-4f3a-7474-b282-191505dc5e40");
      for (const method of METHODS) {
        const { statusCode } = await app.inject({ method, url: path });
        if (statusCode !== 404 && statusCode !== 405) served.push(`${method.toLowerCase()} ${documentedPath(url)}`);
      }
    }
    await app.close();
    expect(served.sort()).toEqual([...documented].sort());
  });

  it("is what stands in docs/openapi.json", () => {
    const file = new URL("../../docs/openapi.json", import.meta.url);
    expect(readFileSync(file, "utf8") === openApiText(), "run npm run generate").toBe(true);
  });

  it("allows members that are not listed wherever it lists none", () => {
    const closed: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      // openapi-typescript makes an object without members of such a schema, and no reader of it compiles.
      const { type, properties, additionalProperties } = value as Record<string, unknown>;
      if (type === "object" && properties === undefined && additionalProperties === undefined) closed.push(path);
      for (const [name, part] of Object.entries(value)) walk(part, `${path}/${name}`);
    };
    walk((JSON.parse(openApiText()) as { components: { schemas: object } }).components.schemas, "");
    expect(closed).toEqual([]);
  });

  it("has every operation once, with a summary, an example and its tag", () => {
    const operations = API_PARTS.flatMap((part) => part.operations);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    for (const part of API_PARTS) {
      for (const { tag, summary, examples } of part.operations) {
        expect(tag).toBe(part.tag.name);
        expect(summary).toMatch(/^[A-Z].*[^.]$/);
        expect(Object.keys(examples)).not.toEqual([]);
      }
    }
  });

  it("uses every schema that it has", () => {
    const text = openApiText();
    const names = Object.keys((createDocument()["components"] as { schemas: object }).schemas);
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });

  it("gives every number a format, and the id of an answer the same one everywhere", () => {
    const numbers: [name: string, format: unknown][] = [];
    const ids: unknown[] = [];
    JSON.stringify(createDocument(), (name, value: unknown) => {
      if (typeof value !== "object" || value === null) return value;
      const { type, format, description } = value as Readonly<Record<string, unknown>>;
      if ([type].flat().some((each) => each === "integer" || each === "number")) numbers.push([name, format]);
      if (
        /^Id(?: of the (?:answer|inference))?, (?:for feedback|in the first event)|^Id of the answer$/.test(
          String(description),
        )
      )
        ids.push(format);
      return value;
    });
    expect(numbers.length).toBeGreaterThan(200);
    expect(numbers.filter(([, format]) => format === undefined)).toEqual([]);
    expect(new Set(ids)).toEqual(new Set(["uuid"]));
  });

  it("has no schema with a name that generators give to the wrapper of an operation's answer", () => {
    const names = Object.keys((createDocument()["components"] as { schemas: object }).schemas);
    expect(names.filter((name) => name.endsWith("Response"))).toEqual([]);
  });

  it("has every header of Attune's own", () => {
    const named = new Set(
      sourceTexts(["admission", "facade"]).flatMap((text) =>
        [...text.matchAll(/"(attune-[a-z-]+)"/g)].map(([, name]) => name),
      ),
    );
    expect(named.size).toBeGreaterThan(15);
    expect(
      [...named].filter((name) => name !== undefined && !(name in REQUEST_HEADERS) && !(name in ANSWER_HEADERS)),
    ).toEqual([]);
  });
});
