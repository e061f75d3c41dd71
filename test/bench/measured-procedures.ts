/** A procedure of a page, with an input as the page gives it. */
export interface MeasuredProcedure {
  readonly page: string;
  readonly path: string;
  /** What tells this input from the others of the procedure. */
  readonly what: string;
  /** Beside the project; given the id of an inference with feedback and a body. */
  readonly input: (inferenceId: string) => Readonly<Record<string, unknown>>;
}

const RANGES = ["1h", "24h", "7d", "30d", "90d", "1y"];

const measured = (page: string, path: string, what = "", input: Readonly<Record<string, unknown>> = {}) => ({
  page,
  path,
  what,
  input: () => input,
});

/** What each page asks for; a page that is new is a line more. */
export const MEASURED_PROCEDURES: readonly MeasuredProcedure[] = [
  ...RANGES.map((range) => measured("Overview", "overview.figures", `${range} by model`, { range, group: "model" })),
  measured("Overview", "overview.figures", "1y by deployment", { range: "1y", group: "deployment" }),
  measured("Overview", "overview.figures", "1y by key", { range: "1y", group: "key" }),
  measured("Overview", "overview.figures", "1y together", { range: "1y", group: "none" }),
  measured("Overview", "overview.names"),
  ...["24h", "30d", "1y"].map((range) => measured("Models", "models.compare", `${range}, all`, { range })),
  measured("Models", "models.compare", "1y, one workload", { range: "1y", workload: "support" }),
  measured("History", "history.list", "newest", { filter: {} }),
  measured("History", "history.list", "a rare workload", { filter: { workload: "evaluation", status: "failed" } }),
  measured("History", "history.sorted", "by cost", { filter: {}, order: "cost" }),
  measured("History", "history.sorted", "by tokens, a workload", {
    filter: { workload: "evaluation" },
    order: "tokens",
  }),
  measured("History", "history.list", "first words", { filter: { text: "nobody ever said this" } }),
  measured("History", "history.list", "whole texts", { filter: { text: "nobody ever said this", isWhole: true } }),
  measured("History", "history.facets"),
  measured("History", "views.list"),
  { page: "History", path: "history.request", what: "", input: (id) => ({ id }) },
  { page: "History", path: "history.asSent", what: "", input: (id) => ({ id }) },
  { page: "History", path: "history.newer", what: "", input: (id) => ({ id }) },
  { page: "History", path: "history.messages", what: "", input: (id) => ({ id, from: 0, to: 50 }) },
  { page: "History", path: "history.raw", what: "", input: (id) => ({ id, side: "request" }) },
  measured("History", "history.exportPlan", "all", { filter: {} }),
  measured("Feedback", "feedback.summary", "1y", { range: "1y" }),
  measured("Feedback", "feedback.metric", "1y", { range: "1y", name: "helpful", kind: "boolean" }),
  measured("Feedback", "feedback.entries"),
  measured("Feedback", "feedback.notes"),
  measured("Feedback", "feedback.example"),
  measured("Workloads", "workloads.list", "1y", { range: "1y" }),
  ...(["24h", "30d", "1y"] as const).map((range) => measured("Errors", "errors.summary", range, { range })),
  ...[
    ["reason", "upstream", "model", "key"],
    ["reason", "upstream", "model", "key", "user"],
  ].flatMap((by) =>
    ["24h", "1y"].map((range) => measured("Errors", "errors.groups", `${range} by ${by.join(", ")}`, { range, by })),
  ),
  ...(["key", "end_user", "tag"] as const).map((by) =>
    measured("Spend", "spend.ranking", `1y by ${by}`, { range: "1y", by }),
  ),
  measured("API keys", "keys.list"),
  measured("API keys", "keys.usage", "of a page", { publicIds: ["supportprod1", "searchprod01", "codereview01"] }),
  measured("Datasets", "datasets.list"),
  { page: "Playground", path: "playground.facts", what: "", input: (inferenceId) => ({ inferenceId }) },
  measured("Members", "members.list"),
  measured("Members", "members.invitations"),
  measured("Members", "projectSettings.read"),
];
