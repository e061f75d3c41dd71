import { describe, expect, it } from "vitest";
import { load, useFolder } from "./harness.ts";

useFolder();

describe("loadConfig() and the environment's values in the file", () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the references are what is tested.
  it("replaces references in texts and numbers", () => {
    const yaml = "server: { host: '${HOST:-h}.local', port: '${PORT}' }\nprefix: ${A}-${B:-b}";
    const config = load(yaml, { PORT: "81", A: "a", B: "" });
    expect(config).toMatchObject({ server: { host: "h.local", port: 81 }, prefix: "a-b" });
  });

  it("does not let a value become YAML", () => {
    const yaml = "upstreams:\n  a: { kind: openai-chat, baseUrl: 'http://a', headers: { x: '${X}' } }";
    const config = load(yaml, { X: "a, y: b }" });
    expect(config.upstreams["a"]).toMatchObject({ headers: { x: "a, y: b }" } });
  });

  it("keeps a doubled dollar sign as text", () => {
    const yaml = "upstreams:\n  a: { kind: openai-chat, baseUrl: 'http://a', headers: { x: '$${X} $5 $' } }";
    expect(load(yaml).upstreams["a"]).toMatchObject({ headers: { x: "${X} $5 $" } });
  });

  it("leaves out optional keys whose variable is not set or empty", () => {
    const yaml = "bootstrapKey: ${A}\nupstreams:\n  a: { kind: openai-chat, baseUrl: 'http://a', apiKey: '${B}' }";
    for (const environment of [{}, { A: "", B: "" }]) {
      const config = load(yaml, environment);
      expect(config.bootstrapKey).toBeUndefined();
      expect(config.upstreams["a"]).toMatchObject({ apiKey: undefined });
    }
  });

  it("leaves out what says that it may be empty and is", () => {
    const upstream =
      "kind: openai-chat, baseUrl: 'http://a', proxy: '${P:-}', headers: { x: '${X:-}', y: '${Y:-}${X:-}' }";
    const yaml = `server: { host: '\${H:-}', port: '\${N:-}', proxies: '\${N:-}' }\nupstreams:\n  a: { ${upstream} }`;
    for (const environment of [{}, { P: "", X: "", Y: "", H: "", N: "" }]) {
      const config = load(yaml, environment);
      expect(config.server).toMatchObject({ host: load("").server.host, port: 8080, proxies: 0 });
      expect(config.upstreams["a"]).toMatchObject({ headers: {} });
      expect(config.upstreams["a"]).not.toHaveProperty("proxy");
    }
    expect(load(yaml, { P: "http://p:1" }).upstreams["a"]).toMatchObject({ proxy: "http://p:1" });
  });

  it("takes a variable that is empty for a mistake where the file does not say that it may be", () => {
    const yaml = "upstreams:\n  a: { kind: openai-chat, baseUrl: 'http://a', proxy: '${P}' }";
    expect(() => load(yaml, { P: "" })).toThrow(/upstreams\.a\.proxy/);
    expect(() => load("server: { metricsToken: '${T}' }", { T: "" })).toThrow(/server\.metricsToken/);
  });

  it("does not replace references in keys", () => {
    expect(() => load("${A}: 1", { A: "prefix" })).toThrow(/^attune\.yaml:1:1 \$\{A\} is not known here/);
  });
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
});
