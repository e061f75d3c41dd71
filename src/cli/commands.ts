import type { RootCommand } from "./command.ts";

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<RootCommand>;
}

/** The commands of the first level, in the order of help. Each is loaded where it is called: help comes at once. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: {
    summary: "migrate the database and serve",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  build: {
    summary: "build the server and the dashboard, which a start does otherwise",
    load: async () => (await import("./commands/build.ts")).build,
  },
  migrate: {
    summary: "bring the database up to date or create it; or move one into another",
    load: async () => (await import("./commands/migrate.ts")).migrate,
  },
  backup: {
    summary: "copy the SQLite database into a new file, also while Attune runs",
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  keys: {
    summary: "manage API keys",
    load: async () => (await import("./commands/keys.ts")).keys,
  },
  "admin-keys": {
    summary: "manage the keys of the administrative service",
    load: async () => (await import("./commands/admin-keys.ts")).adminKeys,
  },
  projects: {
    summary: "manage projects and their limits",
    load: async () => (await import("./commands/projects.ts")).projects,
  },
  "end-users": {
    summary: "manage the limits and the data of end users",
    load: async () => (await import("./commands/end-users.ts")).endUsers,
  },
  quotas: {
    summary: "show and set what calls may take: requests, tokens, USD and models",
    load: async () => (await import("./commands/quotas.ts")).quotas,
  },
  usage: {
    summary: "show calls, tokens, cost and latency of a project, or of all",
    load: async () => (await import("./commands/usage.ts")).usage,
  },
  apply: {
    summary: "make projects, keys, members and limits as a file has them",
    load: async () => (await import("./commands/apply.ts")).apply,
  },
  export: {
    summary: "write requests as CSV or JSON lines, or projects as a file for 'attune apply'",
    load: async () => (await import("./commands/export.ts")).exports,
  },
  users: {
    summary: "manage users of the dashboard",
    load: async () => (await import("./commands/users.ts")).users,
  },
  feedback: {
    summary: "send feedback on a session, such as an agent's run that CI has judged, or on one answer",
    load: async () => (await import("./commands/feedback.ts")).feedback,
  },
  retention: {
    summary: "show expired data, and which of it needs confirmation",
    load: async () => (await import("./commands/retention.ts")).retention,
  },
  workloads: {
    summary: "show and control what Attune learns from feedback",
    load: async () => (await import("./commands/workloads.ts")).workloads,
  },
  alerts: {
    summary: "show alerts, their rules, and where messages about them go",
    load: async () => (await import("./commands/alerts.ts")).alerts,
  },
  audit: {
    summary: "compare the answers of deployments with those of their model's first one",
    load: async () => (await import("./commands/audit.ts")).audit,
  },
  "audit-log": {
    summary: "show who changed what, or check that nothing of it was changed since",
    load: async () => (await import("./commands/audit-log.ts")).auditLog,
  },
  optimizations: {
    summary: "show and switch the optimizations of a project",
    load: async () => (await import("./commands/optimizations.ts")).optimizations,
  },
  replay: {
    summary: "estimate what the policy would have earned on recorded requests",
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  import: {
    summary: "make an attune.yaml of another product's configuration, or rows of its scores",
    load: async () => (await import("./commands/import.ts")).imports,
  },
  models: {
    summary: "list what is known of models, and take newer public lists",
    load: async () => (await import("./commands/models.ts")).models,
  },
  openapi: {
    summary: "print the OpenAPI document of the HTTP API",
    load: async () => (await import("./commands/openapi.ts")).openapi,
  },
  check: {
    summary: "check the configuration: list every mistake with its line, or the settings",
    load: async () => (await import("./commands/check.ts")).check,
  },
};
