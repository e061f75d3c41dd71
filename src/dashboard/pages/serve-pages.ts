import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { fastifyStatic } from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { BuildState, DashboardBuild } from "../build/dashboard-build.ts";
import { escapeHtml, renderPlainPage } from "./plain-page.ts";

/** Loads the page again until the dashboard is there; the part of the address after # stays. */
const RELOAD_SCRIPT = "setTimeout(() => location.reload(), 1000);\n";

/** The facts that a page is given. */
interface PageFacts {
  /** Nonce of its styles, which is new with each response. */
  readonly nonce: string;
  /** Path of the dashboard as the browser knows it. */
  readonly path: string;
}

/** Renders what is shown instead of the dashboard: that it is being built, or why it is not there. */
function renderNotReady(state: Exclude<BuildState, { kind: "ready" }>, { nonce, path }: PageFacts): string {
  const isBuilding = state.kind === "building";
  const title = isBuilding ? "The dashboard is being built" : "The dashboard could not be built";
  const body = isBuilding
    ? "<p>This happens once for each version and takes a few seconds. This page then loads by itself.</p>"
    : `<p>The API works anyway. The build reported:</p><pre>${escapeHtml(state.message)}</pre>`;
  const head = isBuilding ? `<script src="${path}/reload.js"></script>` : "";
  return renderPlainPage({ title, body, head, nonce });
}

/** The placeholders in index.html. */
const PLACES = { nonce: "{{nonce}}", path: "{{dashboard}}" };

/** Assets have the hash of their content in their name, so a browser never asks for one twice. */
const FOR_EVER = { maxAge: 365 * 86_400_000, immutable: true };

/** The options of the pages. */
interface PagesOptions {
  readonly build: DashboardBuild;
  /** Path of the dashboard as browsers know it. */
  readonly path: string;
}

/**
 * Registers the pages: the built assets, and for every other path the page that the browser's own router takes on from.
 */
export async function servePages(app: FastifyInstance, { build, path }: PagesOptions): Promise<void> {
  // The folder of the assets is known only once they are built, so each answer names it.
  await app.register(fastifyStatic, { root: sep, serve: false, preCompressed: true });
  app.get("/assets/*", async (request, reply) => {
    const { state } = build;
    if (state.kind !== "ready") return await reply.code(404).send("");
    const { "*": name } = request.params as { "*": string };
    return reply.sendFile(name, join(state.folder, "assets"), FOR_EVER);
  });
  app.get("/icon.svg", async (_request, reply) => {
    const { state } = build;
    return state.kind === "ready" ? reply.sendFile("icon.svg", state.folder) : await reply.code(404).send("");
  });
  app.get("/reload.js", async (_request, reply) => await reply.type("text/javascript").send(RELOAD_SCRIPT));
  for (const route of ["/", "/*"]) app.get(route, (_request, reply) => sendPage(build, path, reply));
}

async function sendPage({ state }: DashboardBuild, path: string, reply: FastifyReply): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString("base64");
  reply.type("text/html; charset=utf-8").header("cache-control", "no-store");
  reply.header("content-security-policy", contentPolicy(nonce));
  if (state.kind !== "ready") {
    return await reply.code(503).header("retry-after", "2").send(renderNotReady(state, { nonce, path }));
  }
  const page = await readFile(join(state.folder, "index.html"), "utf8");
  return await reply.send(page.replaceAll(PLACES.nonce, nonce).replaceAll(PLACES.path, path));
}

/**
 * Returns the Content-Security-Policy of a page: everything comes from this service, and style elements that scripts
 * make carry the nonce of this one answer.
 */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
