import type { Parameter } from "./operation.ts";

/** Parameters of a page of items. */
export const PAGE: Readonly<Record<string, Parameter>> = {
  limit: {
    description: "Maximum number of items on the page",
    schema: { type: "integer", format: "int32", minimum: 1, maximum: 100, default: 20 },
  },
  order: { description: "Order of the items", schema: { type: "string", enum: ["desc", "asc"], default: "desc" } },
  after: { description: "Id of the last item of the previous page", schema: { type: "string", minLength: 1 } },
};
