import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ADMIN_ROUTES } from "../facade/administration/routes.ts";
import { describeService } from "./rpc-part.ts";

const KEY = { id: "$response.body#/id" };

/** The quota of the examples. */
const QUOTA = { kind: "project", project: "default" };

/** The pair of the examples. */
export const PAIR = "01a21e15-7ead-7227-adeb-3f759b443db0";

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
  examples: {
    createProject: { body: { name: "search", limits: { usd_per_day: 5 } } },
    getProject: { parameters: { project: "default" } },
    updateProject: {
      parameters: { project: "default" },
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
    getQuota: { parameters: QUOTA },
    setQuota: { parameters: { kind: QUOTA.kind }, body: { project: QUOTA.project, limits: { usd_per_day: 5 } } },
    removeQuota: { parameters: QUOTA },
    listEndUsers: { parameters: { project: "default" } },
    exportEndUser: { parameters: { project: "default", id: "customer-42" }, body: {} },
    exportRequests: { parameters: { project: "default" }, body: { form: "csv" } },
    deleteEndUser: { parameters: { project: "default", id: "customer-42", dry_run: "true" } },
    listEndUserDeletions: { parameters: { project: "default" } },
    getUsage: { parameters: { project: "default", group_by: "model" } },
    listWorkloads: { parameters: { project: "default" } },
    getWorkload: { parameters: { project: "default", model: "gpt-6-astra" } },
    updateControls: {
      parameters: { project: "default" },
      body: { model: "gpt-6-astra", objective: "cost", shadow: { share: 0.01 } },
    },
    listWorkloadHistory: { parameters: { project: "default", model: "gpt-6-astra" } },
    rebuildWorkloads: { parameters: { project: "default" }, body: { dry_run: true } },
    getRebuild: { parameters: { project: "default" } },
    cancelRebuild: { parameters: { project: "default" } },
    improveWorkload: {
      parameters: { project: "default", model: "gpt-6-astra" },
      body: { max_usd: 2, max_calls: 300, dry_run: true },
    },
    getImprovement: { parameters: { project: "default", model: "gpt-6-astra" } },
    cancelImprovement: { parameters: { project: "default", model: "gpt-6-astra" } },
    restoreProject: { body: {} },
    resetWorkload: { parameters: { project: "default", model: "gpt-6-astra" }, body: { dry_run: true } },
    getPair: { parameters: { project: "default", model: "gpt-6-astra" } },
    judgePair: { parameters: { project: "default", pair_id: PAIR }, body: { verdict: "both" } },
    removeFeedback: { parameters: { project: "default", end_user_id: "customer-42", dry_run: "true" } },
    listUsers: { parameters: { page_size: "10" } },
    listMembers: { parameters: { project: "default" } },
    setMemberRole: { parameters: { project: "default", member: "ada@example.com" }, body: { role: "viewer" } },
    removeMember: { parameters: { project: "default", member: "ada@example.com" } },
    listInvitations: { parameters: { project: "default" } },
    createInvitation: { parameters: { project: "default" }, body: { email: "grace@example.com", role: "developer" } },
    revokeInvitation: { parameters: { project: "default" } },
    listAlerts: { parameters: { project: "default", open: "true" } },
    listAlertRules: { parameters: { project: "default" } },
    setAlertRule: {
      parameters: { project: "default" },
      body: { name: "many-errors", kind: "error-rate", threshold: 0.1, window_minutes: 30 },
    },
    removeAlertRule: { parameters: { project: "default", name: "many-errors" } },
    listAlertDestinations: { parameters: { project: "default" } },
    createAlertDestination: {
      parameters: { project: "default" },
      body: { name: "on-call", kind: "webhook", target: "https://hooks.example.com/attune" },
    },
    removeAlertDestination: { parameters: { project: "default" } },
    testAlertDestination: { parameters: { project: "default" }, body: { dry_run: true } },
    listAlertDeliveries: { parameters: { project: "default" } },
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
