import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/** Shows links that lead out of the documentation, into the repository, as the paths that they name. */
export function showRepositoryPaths(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("repository-paths", ({ tokens, env }) => {
    const folder = posix.dirname(env.relativePath ?? "");
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const href = token.attrGet("href") ?? "";
          const path = posix.join(folder, href.replace(/#.*/, ""));
          isOutside = !/^[a-z]+:|^[#/]/.test(href) && path.startsWith("../");
          if (!isOutside) continue;
          token.tag = "span";
          token.attrs = [["title", `in the repository: ${path.slice(3)}`]];
        } else if (token.type === "link_close" && isOutside) {
          token.tag = "span";
          isOutside = false;
        }
      }
    }
  });
}
