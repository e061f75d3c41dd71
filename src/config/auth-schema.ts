import { z } from "zod";
import { anyText, headerName, keys, secret, text } from "./fields.ts";

/** The ways to say who calls an upstream, beside the key in the header of its format. */
const TYPES = "header or azure";

const azureScope = text(/^\S+\/\.default$/, "must be a scope that ends in /.default");

/** The auth of an upstream. */
export const auth = z.discriminatedUnion(
  "type",
  [
    keys({
      type: z.literal("header").describe("apiKey in a header of another name"),
      name: headerName().describe("Name of the header, such as api-key"),
    }),
    keys({
      type: z.literal("azure").describe("A token of Entra ID"),
      tenantId: anyText().optional().describe("Directory; AZURE_TENANT_ID if absent"),
      clientId: anyText()
        .optional()
        .describe("Application, or user-assigned managed identity; AZURE_CLIENT_ID if absent"),
      clientSecret: secret().optional().describe("Secret of the application; AZURE_CLIENT_SECRET if absent"),
      tokenFile: anyText()
        .optional()
        .describe("File of the workload's token, where there is no secret; AZURE_FEDERATED_TOKEN_FILE if absent"),
      scope: azureScope
        .optional()
        .describe("Audience of the token; https://cognitiveservices.azure.com/.default if absent"),
    }),
  ],
  { error: ({ code }) => (code === "invalid_union" ? `must be ${TYPES}` : `must be a map with the type ${TYPES}`) },
);
