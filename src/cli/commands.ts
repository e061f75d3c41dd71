import type { RootCommand } from "./command.ts";

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<RootCommand>;
}

type Group = Readonly<Record<string, Entry>>;

/**
 * The commands of the first level in the groups and the order of help. Each is loaded where it is called: help comes at
 * once.
 */
export const COMMAND_GROUPS = {
  Run: {
    serve: {
      summary: "migrate the database, then serve",
      load: async () => (await import("./commands/serve.ts")).serve,
    },
    check: {
      summary: "check the configuration: list every mistake with its line, or print the settings",
      load: async () => (await import("./commands/check.ts")).check,
    },
    migrate: {
      summary: "create the database or bring it up to date, or move one into another",
      load: async () => (await import("./commands/migrate.ts")).migrate,
    },
    backup: {
      summary: "copy the SQLite database into a new file, even while Attune runs",
      load: async () => (await import("./commands/backup.ts")).backup,
    },
    build: {
      summary: "build the server and the dashboard ahead of the first start",
      load: async () => (await import("./commands/build.ts")).build,
    },
  },
  "Access and limits": {
    keys: {
      summary: "manage API keys",
      load: async () => (await import("./commands/keys.ts")).keys,
    },
    "admin-keys": {
      summary: "manage keys for the administrative API and for commands with --url",
      load: async () => (await import("./commands/admin-keys.ts")).adminKeys,
    },
    users: {
      summary: "manage users of the dashboard",
      load: async () => (await import("./commands/users.ts")).users,
    },
    projects: {
      summary: "manage projects and their limits",
      load: async () => (await import("./commands/projects.ts")).projects,
    },
    quotas: {
      summary: "show and set limits: requests, tokens, USD and models",
      load: async () => (await import("./commands/quotas.ts")).quotas,
    },
    "end-users": {
      summary: "manage limits and data of end users",
      load: async () => (await import("./commands/end-users.ts")).endUsers,
    },
  },
  "Feedback and learning": {
    feedback: {
      summary: "send feedback on an answer, or on a session such as an agent's run in CI",
      load: async () => (await import("./commands/feedback.ts")).feedback,
    },
    workloads: {
      summary: "show and control what Attune learns from feedback",
      load: async () => (await import("./commands/workloads.ts")).workloads,
    },
    improve: {
      summary: "find a better or cheaper model with recorded requests",
      load: async () => (await import("./commands/improve.ts")).improve,
    },
    models: {
      summary: "show facts about models, and update the public lists",
      load: async () => (await import("./commands/models.ts")).models,
    },
    optimizations: {
      summary: "show and switch the optimizations of a project",
      load: async () => (await import("./commands/optimizations.ts")).optimizations,
    },
    audit: {
      summary: "compare the answers of a model's deployments",
      load: async () => (await import("./commands/audit.ts")).audit,
    },
    replay: {
      summary: "estimate what the policy would have earned on recorded requests",
      load: async () => (await import("./commands/replay.ts")).replay,
    },
  },
  Records: {
    usage: {
      summary: "show calls, tokens, cost and latency of one project or all",
      load: async () => (await import("./commands/usage.ts")).usage,
    },
    export: {
      summary: "export requests as CSV or JSON lines, or projects for 'attune apply'",
      load: async () => (await import("./commands/export.ts")).exports,
    },
    "audit-log": {
      summary: "show who changed what, or verify that no entry was altered",
      load: async () => (await import("./commands/audit-log.ts")).auditLog,
    },
    retention: {
      summary: "show expired data, and what needs confirmation",
      load: async () => (await import("./commands/retention.ts")).retention,
    },
    alerts: {
      summary: "show alerts, their rules and destinations",
      load: async () => (await import("./commands/alerts.ts")).alerts,
    },
  },
  "Configuration as code": {
    apply: {
      summary: "create and update projects, keys, members and limits from a file",
      load: async () => (await import("./commands/apply.ts")).apply,
    },
    import: {
      summary: "convert a configuration of LiteLLM or TensorZero into an attune.yaml",
      load: async () => (await import("./commands/import.ts")).imports,
    },
    openapi: {
      summary: "print the OpenAPI document of the HTTP API",
      load: async () => (await import("./commands/openapi.ts")).openapi,
    },
  },
} as const satisfies Readonly<Record<string, Group>>;

/** The same by their names alone. */
export const COMMANDS: Group = Object.assign({}, ...Object.values(COMMAND_GROUPS));
