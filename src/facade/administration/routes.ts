import { create, type DescField, type DescMessage, type Message, ScalarType, toJson } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { AdminService } from "../../../gen/attune/admin/v1/admin_pb.ts";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import { enumWord } from "../../lib/protobuf/enum-word.ts";
import { ADMIN_METHODS, type AdminMethod, OPERATIONS, type Operation } from "../../operations/operations.ts";
import { getCall } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { failAtPlaces } from "../fail.ts";
import { decodeRequest, formatPlace } from "./decode-request.ts";
import { nameCleared } from "./name-cleared.ts";

/** The route of an RPC. */
interface Route {
  readonly rpc: AdminMethod;
  /** The field of the request that the body's members belong to, unless the request has a field of their name. */
  readonly resource?: string | undefined;
  /** Completes the body's members of the resource by what a message does not tell. */
  readonly complete?: ((members: JsonObject) => JsonObject) | undefined;
}

/** Requests of which members of the body are completed. */
const COMPLETED: Readonly<Partial<Record<AdminMethod, Route["complete"]>>> = { applyProjects: nameCleared };

/** All routes by path and method. */
export const ADMIN_ROUTES = collectRoutes();

function collectRoutes(): Readonly<Record<string, Readonly<Record<string, Route>>>> {
  const routes: Record<string, Record<string, Route>> = {};
  for (const rpc of ADMIN_METHODS) {
    const { route, resource }: Operation = OPERATIONS[rpc];
    const [verb = "", path = ""] = route.split(" ");
    const place = `/v1/admin/${path}`;
    routes[place] = { ...routes[place], [verb]: { rpc, resource, complete: COMPLETED[rpc] } };
  }
  return routes;
}

/** Creates the handlers of all routes. */
export function createAdminRoutes({ admin }: Pick<RpcClients, "admin">) {
  const handlers = Object.entries(ADMIN_ROUTES).map(([path, verbs]) => {
    const ofPath = Object.entries(verbs).map(([verb, route]) => [verb, createHandler(admin, route)]);
    return [path, Object.fromEntries(ofPath) as Readonly<Record<string, RouteHandlerMethod>>] as const;
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
