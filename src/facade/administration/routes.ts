import { create, type DescField, type DescMessage, type Message, ScalarType, toJson } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { AdminService } from "../../../gen/attune/admin/v1/admin_pb.ts";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import { enumWord } from "../../lib/protobuf/enum-word.ts";
import { getCall } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { failAtPlaces } from "../fail.ts";
import { decodeRequest, formatPlace } from "./decode-request.ts";
import { nameCleared } from "./name-cleared.ts";

type Method = keyof typeof AdminService.method;

/** The route of an RPC. */
interface Route {
  readonly rpc: Method;
  /** The field of the request that the body's members belong to, unless the request has a field of their name. */
  readonly resource?: string;
  /** Completes the body's members of the resource by what a message does not tell. */
  readonly complete?: (members: JsonObject) => JsonObject;
}

type Verb = "GET" | "POST" | "PATCH" | "DELETE";

/** All routes by path and method. */
export const ADMIN_ROUTES: Readonly<Record<string, { readonly [Each in Verb]?: Route }>> = {
  "/v1/admin/projects": { GET: { rpc: "listProjects" }, POST: { rpc: "createProject", resource: "project" } },
  "/v1/admin/projects/:project": {
    GET: { rpc: "getProject" },
    PATCH: { rpc: "updateProject", resource: "update" },
    DELETE: { rpc: "deleteProject" },
  },
  "/v1/admin/projects/:project/restore": { POST: { rpc: "restoreProject" } },
  "/v1/admin/project-deletions": { GET: { rpc: "listProjectDeletions" } },
  "/v1/admin/keys": { GET: { rpc: "listKeys" }, POST: { rpc: "createKey", resource: "key" } },
  "/v1/admin/keys/:id": {
    GET: { rpc: "getKey" },
    PATCH: { rpc: "updateKey", resource: "update" },
    DELETE: { rpc: "revokeKey" },
  },
  "/v1/admin/keys/:id/rotate": { POST: { rpc: "rotateKey" } },
  "/v1/admin/admin-keys": {
    GET: { rpc: "listAdminKeys" },
    POST: { rpc: "createAdminKey", resource: "admin_key" },
  },
  "/v1/admin/admin-keys/:id": { DELETE: { rpc: "revokeAdminKey" } },
  "/v1/admin/quotas": { GET: { rpc: "listQuotas" } },
  "/v1/admin/quotas/:kind": {
    GET: { rpc: "getQuota" },
    POST: { rpc: "setQuota" },
    DELETE: { rpc: "removeQuota" },
  },
  "/v1/admin/end-users": { GET: { rpc: "listEndUsers" } },
  "/v1/admin/projects/:project/end-users/:id": { DELETE: { rpc: "deleteEndUser" } },
  "/v1/admin/projects/:project/end-users/:id/export": { POST: { rpc: "exportEndUser" } },
  "/v1/admin/projects/:project/requests/export": { POST: { rpc: "exportRequests" } },
  "/v1/admin/projects/:project/end-user-deletions": { GET: { rpc: "listEndUserDeletions" } },
  "/v1/admin/projects/:project/workloads": {
    GET: { rpc: "listWorkloads" },
    PATCH: { rpc: "updateControls", resource: "controls" },
  },
  "/v1/admin/projects/:project/workloads/:model": { GET: { rpc: "getWorkload" } },
  "/v1/admin/projects/:project/workloads/:model/reset": { POST: { rpc: "resetWorkload" } },
  "/v1/admin/projects/:project/workloads/:model/history": { GET: { rpc: "listWorkloadHistory" } },
  "/v1/admin/projects/:project/rebuild": {
    GET: { rpc: "getRebuild" },
    POST: { rpc: "rebuildWorkloads" },
    DELETE: { rpc: "cancelRebuild" },
  },
  "/v1/admin/projects/:project/workloads/:model/improvement": {
    GET: { rpc: "getImprovement" },
    POST: { rpc: "improveWorkload" },
    DELETE: { rpc: "cancelImprovement" },
  },
  "/v1/admin/projects/:project/workloads/:model/pair": { GET: { rpc: "getPair" } },
  "/v1/admin/projects/:project/pairs/:pair_id": { POST: { rpc: "judgePair" } },
  "/v1/admin/projects/:project/feedback": { DELETE: { rpc: "removeFeedback" } },
  "/v1/admin/users": { GET: { rpc: "listUsers" } },
  "/v1/admin/projects/:project/members": { GET: { rpc: "listMembers" } },
  "/v1/admin/projects/:project/members/:member": { POST: { rpc: "setMemberRole" }, DELETE: { rpc: "removeMember" } },
  "/v1/admin/projects/:project/invitations": { GET: { rpc: "listInvitations" }, POST: { rpc: "createInvitation" } },
  "/v1/admin/projects/:project/invitations/:id": { DELETE: { rpc: "revokeInvitation" } },
  "/v1/admin/alerts": { GET: { rpc: "listAlerts" } },
  "/v1/admin/projects/:project/alert-rules": {
    GET: { rpc: "listAlertRules" },
    POST: { rpc: "setAlertRule", resource: "rule" },
  },
  "/v1/admin/projects/:project/alert-rules/:name": { DELETE: { rpc: "removeAlertRule" } },
  "/v1/admin/projects/:project/alert-destinations": {
    GET: { rpc: "listAlertDestinations" },
    POST: { rpc: "createAlertDestination", resource: "destination" },
  },
  "/v1/admin/projects/:project/alert-destinations/:id": { DELETE: { rpc: "removeAlertDestination" } },
  "/v1/admin/projects/:project/alert-destinations/:id/test": { POST: { rpc: "testAlertDestination" } },
  "/v1/admin/projects/:project/alert-deliveries": { GET: { rpc: "listAlertDeliveries" } },
  "/v1/admin/audit-log": { GET: { rpc: "listAuditEntries" } },
  "/v1/admin/apply": { POST: { rpc: "applyProjects", resource: "document", complete: nameCleared } },
  "/v1/admin/export": { GET: { rpc: "exportProjects" } },
  "/v1/admin/managed": { GET: { rpc: "listManagedItems" } },
  "/v1/admin/usage": { GET: { rpc: "getUsage" } },
};

/** Creates the handlers of all routes. */
export function createAdminRoutes({ admin }: Pick<RpcClients, "admin">) {
  const handlers = Object.entries(ADMIN_ROUTES).map(([path, verbs]) => {
    const ofPath = Object.entries(verbs).map(([verb, route]) => [verb, createHandler(admin, route)]);
    return [path, Object.fromEntries(ofPath) as { readonly [Each in Verb]?: RouteHandlerMethod }] as const;
  });
  return Object.fromEntries(handlers);
}

function createHandler(admin: RpcClients["admin"], { rpc, resource, complete }: Route) {
  const { input, output } = AdminService.method[rpc];
  const call = admin[rpc] as (request: unknown, options: ReturnType<typeof getCall>) => Promise<never>;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const message = decodeRequest(input, request, { resource, complete });
    const response = await call(message, getCall(request, reply)).catch(
      failAtPlaces((place) => formatPlace(place, resource)),
    );
    return reply.send(encodeResponse(output, create(output, response)));
  };
}

/**
 * Encodes a response: `object` says what it is, and the members of its resource stand beside those of the response, or
 * its list is in `data`. What is not known is null.
 */
function encodeResponse(schema: DescMessage, response: Message): JsonObject {
  const fields = encodeFields(schema, toJson(schema, response, { useProtoFieldName: true, alwaysEmitImplicit: true }));
  const list = schema.fields.find(isListOfMessages);
  if (list !== undefined) {
    const { [list.name]: data = [], ...others } = fields;
    return { object: "list", data, ...others };
  }
  const resource = schema.fields.find(({ fieldKind }) => fieldKind === "message");
  if (resource === undefined) return fields;
  const { [resource.name]: members, ...others } = fields;
  return { object: resource.name, ...(isJsonObject(members) ? members : {}), ...others };
}

function isListOfMessages(field: DescField): boolean {
  return field.fieldKind === "list" && field.listKind === "message";
}

function encodeFields(schema: DescMessage, json: unknown): JsonObject {
  const given = isJsonObject(json) ? json : {};
  return Object.fromEntries(
    schema.fields.map((field) => [field.name, encodeField(field, given[field.name] ?? null)] as const),
  );
}

/** Proto's JSON has 64-bit numbers as texts, and enums by names that repeat their type. */
function encodeField(field: DescField, value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((each) => encodeOne(field, each));
  return field.fieldKind === "map" ? value : encodeOne(field, value);
}

function encodeOne(field: DescField, value: unknown): unknown {
  if (field.message !== undefined) {
    return field.message.typeName.startsWith("google.protobuf.") ? value : encodeFields(field.message, value);
  }
  if (field.enum !== undefined) return enumWord(field.enum, String(value));
  return field.scalar === ScalarType.INT64 ? Number(value) : value;
}
