import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readDocument } from "../../src/cli/apply/read-document.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";

const FILE = join(import.meta.dirname, "..", "..", "packaging", "litellm-projects.sql");

/** What the file reads of LiteLLM's schema.prisma. */
const TABLES = `
create table "LiteLLM_BudgetTable" (budget_id text primary key, max_budget float8, budget_duration text,
  rpm_limit bigint, tpm_limit bigint, max_parallel_requests int);
create table "LiteLLM_TeamTable" (team_id text primary key, team_alias text, max_budget float8, budget_duration text,
  rpm_limit bigint, tpm_limit bigint, max_parallel_requests int, models text[], blocked boolean not null default false);
create table "LiteLLM_VerificationToken" (token text primary key, key_alias text, team_id text, expires timestamp(3),
  max_budget float8, budget_duration text, rpm_limit bigint, tpm_limit bigint, max_parallel_requests int, models text[],
  blocked boolean, budget_id text);
create table "LiteLLM_EndUserTable" (user_id text primary key, budget_id text);
insert into "LiteLLM_BudgetTable" values ('b1', 5, '1d', null, null, null);
insert into "LiteLLM_EndUserTable" values ('u1', 'b1'), ('u2', null);
insert into "LiteLLM_TeamTable" values
  ('t-1', 'search', 500, '30d', 600, null, null, '{}', false),
  ('t-2', 'search', 10, '7d', null, 1000, null, '{small,large}', false),
  ('t-3', 'gone', null, null, null, null, null, '{}', true);
insert into "LiteLLM_VerificationToken" values
  ('${"a".repeat(64)}', 'backend', 't-1', null, null, null, 60, null, 4, '{all-team-models}', null, null),
  ('${"b".repeat(64)}', null, 't-1', '2037-01-01', null, null, null, null, null, '{}', false, 'b1'),
  ('${"c".repeat(64)}', 'old', 't-1', '2020-01-01', 1, null, null, null, null, '{}', false, null),
  ('${"d".repeat(64)}', 'mine', null, null, 25, null, null, null, null, '{openai/*}', null, null),
  ('${"e".repeat(64)}', 'orphan', 't-3', null, null, null, null, null, null, '{}', null, null);
`;

let server: PostgresServer;
let folder: string;
let text: string;

beforeAll(async () => {
  server = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), "attune-litellm-"));
  const client = new Client({ connectionString: server.createDatabaseUrl().replace(/[^/]*$/, "postgres") });
  await client.connect();
  await client.query(TABLES);
  const results: unknown = await client.query(readFileSync(FILE, "utf8"));
  await client.end();
  const tables = results as readonly { readonly rows: readonly Readonly<Record<string, string>>[] }[];
  text = tables.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row))).join("\n");
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe("packaging/litellm-projects.sql", () => {
  it("makes a project of each team and a key of each key that works", () => {
    expect(parse(text)).toEqual({
      projects: [
        { name: "default", keys: [{ name: "mine", limits: { usdTotal: 25 } }] },
        {
          name: "search t-1",
          limits: { usdPerMonth: 500, requestsPerMinute: 600 },
          keys: [
            { name: "backend", limits: { requestsPerMinute: 60, concurrentCalls: 4 } },
            { name: "litellm-bbbbbbbbbbbb", limits: { usdPerDay: 5 }, expiresAt: "2037-01-01T00:00:00Z" },
          ],
        },
        { name: "search t-2", limits: { models: ["small", "large"] } },
      ],
    });
  });

  it("makes what 'attune apply' reads", () => {
    const file = join(folder, "projects.yaml");
    writeFileSync(file, text);
    expect(readDocument(file).document.projects.map(({ name }) => name)).toEqual([
      "default",
      "search t-1",
      "search t-2",
    ]);
  });

  it("names what it leaves out", () => {
    expect(text.split("\n").filter((line) => line.startsWith("#"))).toEqual([
      '# team "gone": is blocked or expired, and left out',
      '# team "search t-2": its budget of 10 USD for 7d is left out: budgets are for a day, a month or in all',
      '# team "search t-2": tpm_limit 1000 is left out: set inputTokensPerMinute and outputTokensPerMinute',
      '# key "mine": its models (openai/*) are left out: name each',
      '# key "old": is blocked or expired, and left out',
      '# key "orphan": its team is blocked or deleted, and the key is left out',
      "# budgets of end users are left out (1): give them to the end users of a project",
    ]);
  });
});
