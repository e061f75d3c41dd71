import type { BuildState } from "../build/dashboard-build.ts";

/** Loads the page again until the dashboard is there; the part of the address after # stays. */
export const RELOAD_SCRIPT = "setTimeout(() => location.reload(), 1000);\n";

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
  body { display: grid; min-height: 90vh; place-items: center; margin: 2rem; }
  main { max-width: 42rem; }
  pre { overflow: auto; padding: 1rem; border: 1px solid #8886; border-radius: 8px; font-size: 0.85rem; }
`;

/** Renders what is shown instead of the dashboard: that it is being built, or why it is not there. */
export function renderNotReady(state: Exclude<BuildState, { kind: "ready" }>, nonce: string): string {
  const isBuilding = state.kind === "building";
  const title = isBuilding ? "The dashboard is being built" : "The dashboard could not be built";
  const body = isBuilding
    ? "<p>This happens once for each version and takes a few seconds. This page then loads by itself.</p>"
    : `<p>The API serves all the same. This is what stopped it:</p><pre>${escapeHtml(state.message)}</pre>`;
  const script = isBuilding ? '<script src="/dashboard/reload.js"></script>' : "";
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Attune</title><style nonce="${nonce}">${STYLE}</style>${script}</head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
