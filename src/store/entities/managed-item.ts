import { defineEntity, p } from "@mikro-orm/core";

/** A thing that a document of projects created, changed or adopted: `attune apply` manages it. */
export const ManagedItem = defineEntity({
  name: "ManagedItem",
  tableName: "managed_item",
  properties: {
    /** Empty where it is of no project. */
    projectId: p.text().primary(),
    /** ManagedKind. */
    kind: p.text().primary(),
    /**
     * Of a key the public id, of a member the address, of limits kind and name of their owner, of controls the model.
     */
    name: p.text().primary(),
    since: p.datetime(3),
  },
});
