import type { BuildState } from "../build/dashboard-build.ts";
import { escapeHtml, renderPlainPage } from "./plain-page.ts";

/** Loads the page again until the dashboard is there; the part of the address after # stays. */
export const RELOAD_SCRIPT = "setTimeout(() => location.reload(), 1000);\n";

/** Renders what is shown instead of the dashboard: that it is being built, or why it is not there. */
export function renderNotReady(state: Exclude<BuildState, { kind: "ready" }>, nonce: string): string {
  const isBuilding = state.kind === "building";
  const title = isBuilding ? "The dashboard is being built" : "The dashboard could not be built";
  const body = isBuilding
    ? "<p>This happens once for each version and takes a few seconds. This page then loads by itself.</p>"
    : `<p>The API serves all the same. This is what stopped it:</p><pre>${escapeHtml(state.message)}</pre>`;
  const head = isBuilding ? '<script src="/dashboard/reload.js"></script>' : "";
  return renderPlainPage({ title, body, head, nonce });
}
