import type { FastifyInstance } from "fastify";

/** True if a process should be sent requests. */
interface Readiness {
  readonly isReady: boolean;
  /** The dependencies of the service, in a word each, for people. */
  readonly checks: Readonly<Record<string, string>>;
}

/** The health of a process, as every port of it tells it. */
export interface Health {
  /** Processes that share a port can be told from each other by it. */
  readonly instance: string;
  readonly readiness: () => Readiness;
}

/** The ports of recording that health depends on. */
interface Recording {
  readonly recorder: { readonly accepting: boolean };
  /** "ok", or why the database cannot be used. */
  readonly databaseState: () => string;
  /** Deletions that wait for an operator. */
  readonly held: () => readonly unknown[];
}

/** Tells whether a process should be sent requests. */
export function getReadiness({ recorder, databaseState, held }: Recording, isClosing: boolean): Readiness {
  const { accepting } = recorder;
  const database = databaseState();
  return {
    // Known keys go on working without the database, and records wait in the spool. A file that is gone does not come
    // back by itself.
    isReady: accepting && !isClosing && database !== "missing",
    checks: {
      database,
      spool: accepting ? "ok" : "full",
      process: isClosing ? "ending" : "serving",
      // Nothing that requests depend on: it is here for people to see.
      ...(held().length > 0 ? { retention: "waits for 'attune retention --yes'" } : {}),
    },
  };
}

/**
 * Adds GET /healthz, which answers as long as the process does, also at /health, where load tools ask; and GET /readyz,
 * which answers 503 while requests should go elsewhere.
 */
export function addHealthRoutes(app: FastifyInstance, { instance, readiness }: Health): void {
  for (const path of ["/healthz", "/health"]) app.get(path, async () => ({ status: "ok", instance }));
  app.get("/readyz", async (_request, reply) => {
    const { isReady, checks } = readiness();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready", instance, checks });
  });
}
