import { defineEntity, p } from "@mikro-orm/core";

/** How the answers of a deployment compare with those of the plain call. No text of theirs is in it. */
export const DeploymentAudit = defineEntity({
  name: "DeploymentAudit",
  tableName: "deployment_audit",
  properties: {
    /** Model without the prefix. */
    model: p.text().primary(),
    /** Name of the upstream in the configuration. */
    upstream: p.text().primary(),
    upstreamModel: p.text().primary(),
    updatedAt: p.datetime(3),
    /** open, out or trusted. */
    standing: p.text(),
    /** JSON; see src/learning/equivalence/audit-state.ts. Text, because no query looks into it. */
    state: p.text(),
  },
});
