/** A page of plain HTML. */
interface PlainPage {
  readonly title: string;
  /** HTML of the body. */
  readonly body: string;
  /** HTML of the head. */
  readonly head?: string;
  /** The nonce of the answer's policy, for the style. */
  readonly nonce: string;
}

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
  body { display: grid; min-height: 90vh; place-items: center; margin: 2rem; }
  main { max-width: 42rem; }
  pre { overflow: auto; padding: 1rem; border: 1px solid #8886; border-radius: 8px; font-size: 0.85rem; }
`;

/** Renders a page that stands where the dashboard is not. */
export function renderPlainPage({ title, body, head = "", nonce }: PlainPage): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Attune</title><style nonce="${nonce}">${STYLE}</style>${head}</head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>
`;
}

/** Returns a text as HTML, also within an attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
