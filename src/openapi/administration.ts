import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ADMIN_ROUTES } from "../facade/administration/routes.ts";
import { describeService } from "./rpc-part.ts";

const KEY = { id: "$response.body#/id" };

/** The pair of the examples. */
export const PAIR = "01a21e15-7ead-7227-adeb-3f759b443db0";

/** Values in paths of the examples. */
const VALUES = { project: "default", model: "gpt-6-astra", member: "ada@example.com", kind: "project", pair_id: PAIR };

/** The administrative API. */
export const ADMINISTRATION = describeService({
  service: AdminService,
  routes: ADMIN_ROUTES,
  tag: { name: "Administration", description: "Projects, keys and limits, for callers with an admin key" },
  key: "admin",
  optionalResources: [
    ...(["rebuildWorkloads", "getRebuild", "cancelRebuild"] as const),
    ...(["improveWorkload", "getImprovement", "cancelImprovement"] as const),
  ],
  values: VALUES,
  examples: {
    createProject: { body: { name: "search", limits: { usd_per_day: 5 } } },
    updateProject: {
      body: { limits: { requests_per_minute: 600 }, settings: { aliases: { fast: "claude-haiku-5-5" } } },
    },
    listProjects: { parameters: { page_size: "10" } },
    listProjectDeletions: { parameters: { page_size: "10" } },
    createKey: {
      body: { project: "default", permissions: ["read:project"], tags: { team: "search" }, lifetime: "3600s" },
    },
    updateKey: { body: { limits: { usd_per_day: 5 } } },
    listKeys: { parameters: { project: "default", state: "active" } },
    createAdminKey: { body: { project: "default", name: "ci", scopes: ["keys:write"], lifetime: "3600s" } },
    listAdminKeys: { parameters: { page_size: "10" } },
    rotateKey: { body: { overlap: "60s" } },
    listQuotas: { parameters: { project: "default" } },
    getQuota: { parameters: { project: "default" } },
    setQuota: { body: { project: "default", limits: { usd_per_day: 5 } } },
    removeQuota: { parameters: { project: "default" } },
    listEndUsers: { parameters: { project: "default" } },
    exportEndUser: { parameters: { id: "customer-42" }, body: {} },
    exportRequests: { body: { form: "csv" } },
    deleteEndUser: { parameters: { id: "customer-42", dry_run: "true" } },
    getUsage: { parameters: { project: "default", group_by: "model" } },
    updateControls: { body: { model: "gpt-6-astra", objective: "cost", shadow: { share: 0.01 } } },
    rebuildWorkloads: { body: { dry_run: true } },
    improveWorkload: { body: { max_usd: 2, max_calls: 300, dry_run: true } },
    restoreProject: { body: {} },
    resetWorkload: { body: { dry_run: true } },
    judgePair: { body: { verdict: "both" } },
    removeFeedback: { parameters: { end_user_id: "customer-42", dry_run: "true" } },
    listUsers: { parameters: { page_size: "10" } },
    setMemberRole: { body: { role: "viewer" } },
    createInvitation: { body: { email: "grace@example.com", role: "developer" } },
    listAlerts: { parameters: { project: "default", open: "true" } },
    setAlertRule: { body: { name: "many-errors", kind: "error-rate", threshold: 0.1, window_minutes: 30 } },
    createAlertDestination: { body: { name: "on-call", kind: "webhook", target: "https://hooks.example.com/attune" } },
    testAlertDestination: { body: { dry_run: true } },
    applyProjects: {
      body: {
        projects: [
          {
            name: "team-search",
            limits: { usd_per_month: 500 },
            members: [{ email: "ada@example.com", role: "owner" }],
            tags: [{ tag: "team=search", limits: { requests_per_minute: 600 } }],
            learning: { objective: "cost" },
          },
        ],
        dry_run: true,
      },
    },
    exportProjects: { parameters: { project: "default" } },
    listManagedItems: { parameters: { page_size: "10" } },
    listAuditEntries: { parameters: { project: "default", action: "keys", page_size: "10" } },
  },
  links: {
    createKey: { getKey: KEY, updateKey: KEY, rotateKey: KEY, revokeKey: KEY },
    createAdminKey: { revokeAdminKey: KEY },
    createInvitation: { revokeInvitation: KEY },
    createProject: { deleteProject: { project: KEY.id } },
    deleteProject: { restoreProject: { project: "$request.path.project" } },
    setAlertRule: { removeAlertRule: { name: "$response.body#/name" } },
    createAlertDestination: { removeAlertDestination: KEY, testAlertDestination: KEY },
  },
});
