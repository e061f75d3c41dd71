import type { DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { constant, type Members, object, ref, type Schema, withoutMembers } from "../formats/shared/schema.ts";
import { ID_HEADERS } from "./headers.ts";
import type { ApiPart, Example, Link, Operation, Parameter } from "./operation.ts";
import { commentOf, RpcSchemas, schemaName } from "./rpc-schemas.ts";

/** The route of an RPC. */
interface Route {
  /** Local name of the method. */
  readonly rpc: string;
  /** Field of the request whose members stand in the body itself. */
  readonly resource?: string | undefined;
}

/** A service whose RPCs are routes too. */
interface RoutedService {
  readonly service: DescService;
  /** Routes by path, as Fastify has it, and method. */
  readonly routes: Readonly<Record<string, Readonly<Partial<Record<string, Route>>>>>;
  readonly tag: ApiPart["tag"];
  readonly key: Operation["key"];
  /** Examples of requests, by the local name of their methods; of others, `values` of the path are all. */
  readonly examples: Readonly<Record<string, Example>>;
  /** Examples of what stands in paths, by name; where a link leads to an operation, it fills its own. */
  readonly values?: Readonly<Record<string, string>>;
  /** Operations that one can go on with, by the local name of the method and of the operation. */
  readonly links?: Readonly<Record<string, Readonly<Record<string, Link["parameters"]>>>>;
  /** Local names of methods whose response may have no resource. */
  readonly optionalResources?: readonly string[];
}

/** Ends the description of each change. */
const PATCH = " The body is a JSON Merge Patch: only members that it has change, and null removes one.";

/** Fields that aren't in JSON, which has rules instead. */
const HIDDEN = ["update_mask"];

/** Describes the routes of a service by the messages of their RPCs. */
export function describeService(routed: RoutedService): ApiPart {
  const { service, routes, tag, key, examples, links = {}, values = {}, optionalResources = [] } = routed;
  const describer = new RouteDescriber();
  const operations = Object.entries(routes).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, route]): Operation => {
      const method = service.method[route?.rpc ?? ""];
      if (method === undefined) throw new Error(`${verb} ${path} has no method of ${service.name}`);
      const mayLackResource = optionalResources.includes(method.localName);
      const described = describer.describe({ verb, path, resource: route?.resource, method, mayLackResource });
      const named = Object.entries(links[method.localName] ?? {});
      const next = named.map(([name, parameters]) => {
        const target = service.method[name];
        if (target === undefined) throw new Error(`${name} isn't a method of ${service.name}`);
        return [name, { operation: operationId(target), parameters }];
      });
      const answer = { ...described.answer, links: Object.fromEntries(next) };
      const { parameters, ...example } = examples[method.localName] ?? {};
      const linked = Object.values(links).flatMap((targets) => Object.keys(targets[method.localName] ?? {}));
      const filled = Object.keys(described.parameters?.path ?? {}).flatMap((each) => {
        const value = values[each];
        return value === undefined || linked.includes(each) ? [] : [[each, value] as const];
      });
      const all = { ...Object.fromEntries(filled), ...parameters };
      const whole = { ...example, ...(Object.keys(all).length > 0 && { parameters: all }) };
      return { ...described, answer, tag: tag.name, key, examples: { example: whole } };
    }),
  );
  return { tag, operations, schemas: describer.schemas };
}

interface RoutedMethod {
  readonly verb: string;
  readonly path: string;
  readonly resource: string | undefined;
  readonly method: DescMethod;
  readonly mayLackResource: boolean;
}

/** Describes routes, and keeps the schemas that they refer to. */
class RouteDescriber {
  readonly #messages = new RpcSchemas();

  get schemas(): Record<string, Schema> {
    return this.#messages.schemas;
  }

  describe({
    verb,
    path,
    resource,
    method,
    mayLackResource,
  }: RoutedMethod): Omit<Operation, "tag" | "key" | "examples"> {
    const { input, output, name } = method;
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => parameter);
    const hasBody = verb !== "GET" && verb !== "DELETE";
    const all = this.#bodyMembers(input, resource);
    const members = withoutMembers(all, [...HIDDEN, ...inPath]);
    const body = {
      type: "object",
      description: commentOf(input),
      properties: members,
      additionalProperties: false,
    };
    if (hasBody) this.schemas[schemaName(input)] = body;
    this.schemas[schemaName(output)] = this.#describeAnswer(output, mayLackResource);
    const parameter = (of: string, { description, ...schema }: Schema): [string, Parameter] => [
      of,
      { description: String(description), schema, ...(schema["type"] === "array" && { explode: false }) },
    ];
    return {
      method: verb.toLowerCase() as Operation["method"],
      path: path.replace(/:(\w+)/g, "{$1}"),
      id: operationId(method),
      summary: sentence(name),
      description: `${commentOf(method.parent, method)}${verb === "PATCH" ? PATCH : ""}`,
      parameters: {
        path: Object.fromEntries(inPath.map((of) => parameter(of, getMember(all, of)))),
        query: hasBody ? {} : Object.fromEntries(Object.entries(members).map(([of, schema]) => parameter(of, schema))),
      },
      ...(hasBody && { body: { schema: ref(schemaName(input)), isOptional: true } }),
      answer: {
        description: commentOf(output),
        headers: ID_HEADERS,
        content: {
          "application/json": { schema: ref(schemaName(output)), example: this.#sampleOf(ref(schemaName(output))) },
        },
      },
      envelopes: ["OpenAiError"],
    };
  }

  /** The members of the resource stand in the body itself. */
  #bodyMembers(input: DescMessage, resource: string | undefined): Members {
    const own = input.fields.find(({ name }) => name === resource)?.message;
    const others = this.#messages.members(input, "request", own && resource);
    return own === undefined ? others : { ...this.#messages.members(own, "request"), ...others };
  }

  /** A list is in `data`; the members of a resource, where there is one, stand beside those of the answer. */
  #describeAnswer(output: DescMessage, mayLackResource: boolean): Schema {
    const description = commentOf(output);
    const listed = output.fields.find(({ fieldKind, message }) => fieldKind === "list" && message !== undefined);
    if (listed !== undefined) {
      const { [listed.name]: data = {}, ...others } = this.#messages.members(output, "answer");
      return object({ object: constant("list"), data, ...others }, description);
    }
    const resource = output.fields.find(({ fieldKind }) => fieldKind === "message");
    const others = this.#messages.members(output, "answer", resource?.name);
    if (resource?.message === undefined) return object(others, description);
    const own = this.#messages.members(resource.message, "answer");
    const optional = mayLackResource ? Object.keys(own).filter((name) => !(name in others)) : [];
    return object({ object: constant(resource.name), ...own, ...others }, description, optional);
  }

  /** Returns a value that a schema of an answer allows. */
  #sampleOf(schema: Schema): unknown {
    const { $ref: target, type, anyOf, properties, enum: words, format } = schema;
    if (typeof target === "string") return this.#sampleOf(this.schemas[target.split("/").at(-1) ?? ""] ?? {});
    if (schema["const"] !== undefined) return schema["const"];
    if (Array.isArray(words)) return words[0];
    // What may be absent may be within itself.
    if (Array.isArray(anyOf)) return null;
    if (type === "array") return [];
    if (type === "object") {
      const members = Object.entries((properties ?? {}) as Members);
      return Object.fromEntries(members.map(([name, member]) => [name, this.#sampleOf(member)]));
    }
    if (type === "string") return format === "date-time" ? "2027-01-31T12:00:00Z" : "text";
    return type === "boolean" ? true : 1;
  }
}

/** Returns the name of an operation: ListKeys of attune.admin.v1 is adminListKeys. */
function operationId({ parent, name }: DescMethod): string {
  const [, room = ""] = parent.typeName.split(".");
  return room + name;
}

/** ListKeys is "List keys". */
function getMember(members: Readonly<Record<string, Schema>>, name: string): Schema {
  const member = members[name];
  if (member === undefined) throw new Error(`a path has ${name}, which isn't a field of its request`);
  return member;
}

function sentence(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
