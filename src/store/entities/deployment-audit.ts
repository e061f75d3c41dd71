import { defineEntity, p } from "@mikro-orm/core";

/** The comparison of a deployment's answers with those of the plain call. It holds no text. */
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
