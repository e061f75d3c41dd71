import { describe, expect, it } from "vitest";
import { listWarnings } from "../../src/config/list-warnings.ts";
import { load, useFolder } from "./harness.ts";

useFolder();

const UPSTREAM = "upstreams: { a: { kind: openai-chat, baseUrl: 'http://a/v1', apiKey: k } }\n";

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the references are what is tested.
/** Each section, and the variables with which it is complete. */
const SECTIONS: readonly (readonly [place: string, yaml: string, variables: Record<string, string>])[] = [
  [
    "alerts.smtp",
    "alerts: { smtp: { host: '${HOST:-}', port: 465, user: '${USER:-}', password: '${PASSWORD:-}', from: '${FROM:-}' } }",
    { HOST: "smtp.example.com", FROM: "attune@example.com" },
  ],
  [
    "dashboard.signIn.providers.company",
    "dashboard: { signIn: { providers: { company: { label: Us, issuer: '${A:-}', clientId: '${B:-}', clientSecret: '${C:-}', scopes: [openid] } } } }",
    { A: "https://login.example.com", B: "attune" },
  ],
  ["server.tls", "server: { tls: { cert: '${file:/nowhere/cert:-}', key: '${file:/nowhere/key:-}' } }", {}],
  [
    "alerts.destinations.chat",
    "alerts: { destinations: { chat: { kind: slack, url: '${SLACK_URL:-}' } } }",
    { SLACK_URL: "https://hooks.slack.com/services/1" },
  ],
  [
    "upstreams.b",
    `${UPSTREAM.slice(0, -3)}, b: { kind: openai-chat, baseUrl: '\${B_URL:-}', apiKey: '\${B_KEY:-}' } }`,
    { B_URL: "http://b/v1" },
  ],
];

const written = (yaml: string): string => (yaml.startsWith("upstreams") ? yaml : UPSTREAM + yaml);

describe("dropEmptySections()", () => {
  it.each(SECTIONS)("leaves %s out where what it needs is empty, and tells so", (place, yaml) => {
    const config = load(written(yaml));
    expect(place.split(".").reduce((inner, key) => Reflect.get(Object(inner), key), config as unknown)).toBeUndefined();
    expect(listWarnings(config)).toContain(`${place} is left out: the variables that it needs are empty`);
  });

  it.each(SECTIONS.filter(([, , variables]) => Object.keys(variables).length > 0))(
    "keeps %s where they are set",
    (place, yaml, variables) => {
      expect(listWarnings(load(written(yaml), variables))).not.toContainEqual(expect.stringContaining(place));
    },
  );

  it.each(SECTIONS.filter(([, , variables]) => Object.keys(variables).length > 1))(
    "tells of what %s lacks where it has a part of it",
    (place, yaml, variables) => {
      const [[name = "", value = ""] = []] = Object.entries(variables);
      expect(() => load(written(yaml), { [name]: value })).toThrow(`${place}.`);
    },
  );

  it("keeps the mistake of a section that other parts name", () => {
    const yaml =
      "upstreams: { b: { kind: openai-chat, baseUrl: '${B:-}' } }\nmodels:\n" +
      "  - { name: m, family: f, contextWindow: 9000, maxOutputTokens: 100, deployments: [{ upstream: b, model: m }] }";
    expect(() => load(yaml)).toThrow(/upstreams\.b\.baseUrl is missing/);
  });

  it("keeps the mistake of a section that was never given a member", () => {
    expect(() => load(`${UPSTREAM}alerts: { smtp: { host: '\${H:-}' } }`)).toThrow(/alerts\.smtp\.from is missing/);
    expect(() => load(`${UPSTREAM}alerts: { smtp: {} }`)).toThrow(/alerts\.smtp\.host is missing/);
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
