import type { MarkdownRenderer } from "vitepress";

/**
 * Shows the picture of the page's own colour scheme: code hosts choose between the two files of `<picture>` by the
 * system's, and readers of the site may have chosen another one.
 */
export function showPictures(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("pictures", ({ tokens }) => {
    for (const token of tokens) if (token.type === "html_block") token.content = withBoth(token.content);
  });
}

const PICTURE = /<picture>\s*<source[^>]*srcset="([^"]+)"[^>]*>\s*<img ([^>]*?)src="([^"]+)"([^>]*)>\s*<\/picture>/g;

function withBoth(html: string): string {
  return html.replace(PICTURE, (_, dark: string, before: string, light: string, after: string) =>
    [
      `<img class="only-light" ${before}src="${light}"${after}>`,
      `<img class="only-dark" ${before}src="${dark}"${after}>`,
    ].join(""),
  );
}
