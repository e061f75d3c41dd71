import { anyObject, choice, constant, object, record, ref, text } from "../formats/shared/schema.ts";
import type { ApiPart, Operation } from "./operation.ts";

const BASICS = { method: "get", tag: "Service", key: "none", envelopes: [] } as const;

const INSTANCE = "01a21d33-4802-7557-9efc-32dcc9a20497";
const instance = text("Distinguishes processes that share a port");

const HEALTHZ: Operation = {
  ...BASICS,
  path: "/healthz",
  id: "getHealth",
  summary: "Check that the process runs",
  examples: { check: {} },
  answer: {
    description: "The process runs",
    content: { "application/json": { schema: ref("Health"), example: { status: "ok", instance: INSTANCE } } },
  },
};

const HEALTH: Operation = { ...HEALTHZ, path: "/health", id: "getHealthAtHealth", summary: "The same, for load tools" };

const READYZ: Operation = {
  ...BASICS,
  path: "/readyz",
  id: "getReadiness",
  summary: "Check whether the process is ready for requests",
  description: "The status is 503, with the same body, while requests should go elsewhere.",
  examples: { check: {} },
  answer: {
    description: "The process is ready for requests",
    content: {
      "application/json": {
        schema: ref("Readiness"),
        example: { status: "ready", instance: INSTANCE, checks: { database: "ok", spool: "ok", process: "serving" } },
      },
    },
  },
};

const DOCUMENT: Operation = {
  ...BASICS,
  path: "/openapi.json",
  id: "getOpenApi",
  summary: "Read this document",
  examples: { read: {} },
  answer: {
    description: "The document",
    content: { "application/json": { schema: anyObject("An OpenAPI document"), example: { openapi: "3.1.1" } } },
  },
};

/** The service itself. `GET /metrics` is an operator's, and on a port of its own as a rule. */
export const SERVICE: ApiPart = {
  tag: { name: "Service", description: "Health and description of the service; no key is needed" },
  schemas: {
    Health: object({ status: constant("ok"), instance }, "The process runs"),
    Readiness: object(
      {
        status: choice(["ready", "not ready"], "Whether to send requests here"),
        instance,
        checks: record({ type: "string" }, "State of the process's dependencies"),
      },
      "Readiness",
    ),
  },
  operations: [HEALTHZ, HEALTH, READYZ, DOCUMENT],
};
