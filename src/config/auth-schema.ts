import { z } from "zod";
import { across } from "./across.ts";
import { anyText, headerName, keys, secret, text } from "./fields.ts";

/** The ways to say who calls an upstream, beside the key in the header of its format. */
const TYPES = "header, aws, azure or google";

const azureScope = text(/^\S+\/\.default$/, "must be a scope that ends in /.default");

const aws = keys({
  type: z.literal("aws").describe("Signature Version 4"),
  region: anyText().optional().describe("Region; that of baseUrl, or AWS_REGION, if absent"),
  service: anyText().optional().describe("Name of the service in signatures; bedrock, or that of baseUrl, if absent"),
  accessKeyId: secret().optional().describe("Access key; AWS_ACCESS_KEY_ID if absent"),
  secretAccessKey: secret().optional().describe("Its secret; AWS_SECRET_ACCESS_KEY if absent"),
  sessionToken: secret().optional().describe("Token of temporary keys"),
  roleArn: anyText().optional().describe("Role to assume by tokenFile; AWS_ROLE_ARN if absent"),
  tokenFile: anyText().optional().describe("File of the workload's token; AWS_WEB_IDENTITY_TOKEN_FILE if absent"),
});

/** The auth of an upstream. */
export const auth = z.discriminatedUnion(
  "type",
  [
    keys({
      type: z.literal("header").describe("apiKey, or one of apiKeys, in a header of another name"),
      name: headerName().describe("Name of the header, such as api-key"),
    }),
    across(aws, ({ accessKeyId, secretAccessKey }) =>
      (accessKeyId === undefined) === (secretAccessKey === undefined)
        ? []
        : [{ path: [], message: "must have both accessKeyId and secretAccessKey, or neither" }],
    ),
    keys({
      type: z.literal("azure").describe("A token of Entra ID"),
      tenantId: anyText().optional().describe("Directory (tenant) id; AZURE_TENANT_ID if absent"),
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
    keys({
      type: z.literal("google").describe("A token of Google"),
      credentialsFile: anyText()
        .optional()
        .describe("File of a service account or of workload identity; GOOGLE_APPLICATION_CREDENTIALS if absent"),
    }),
  ],
  { error: ({ code }) => (code === "invalid_union" ? `must be ${TYPES}` : `must be a map with the type ${TYPES}`) },
);
