import { cpSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { addressOf, GUIDES, KINDS, titleOf } from "./pages.ts";
import { showPictures } from "./pictures.ts";
import { writePlainPages } from "./plain-pages.ts";
import { showRepositoryPaths } from "./repository-links.ts";

/** The icon of the dashboard, which is that of the site too. */
const ICON = join(import.meta.dirname, "..", "..", "..", "..", "src", "dashboard", "web", "public", "icon.svg");

/** Anchors are those that code hosts give, so that links within `docs/` hold in both. */
function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

function itemOf(page: string) {
  return { text: titleOf(page), link: addressOf(page) };
}

/** The guides in their groups. A group that folds would hold a button within a button. */
function guideGroups() {
  return GUIDES.map(([text, pages]) => ({ text, items: pages.map(itemOf) }));
}

export default defineConfig({
  title: "Attune",
  description: "LLM inference and feedback service",
  lang: "en",
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/icon.svg" }]],
  srcDir: "../../../docs",
  srcExclude: ["notes/**"],
  outDir: "../../../dist/site",
  cacheDir: "../../../node_modules/.cache/attune-site",
  rewrites: { "README.md": "index.md", ":folder/README.md": ":folder/index.md" },
  markdown: {
    attrs: { disable: true },
    anchor: { slugify },
    config: (markdown) => {
      showRepositoryPaths(markdown);
      showPictures(markdown);
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  // A line that is not found belongs to the laboratory notes, which are read in the repository.
  ignoreDeadLinks: [/notes\//],
  themeConfig: {
    search: {
      provider: "local",
      options: { translations: { button: { buttonText: "Search", buttonAriaLabel: "Search" } } },
    },
    outline: [2, 3],
    nav: KINDS.map(([text, [first = ""]]) => ({ text, link: addressOf(first) })),
    sidebar: KINDS.map(([text, pages]) => ({ text, items: text === "Guides" ? guideGroups() : pages.map(itemOf) })),
  },
  buildEnd: ({ outDir }) => {
    cpSync(ICON, join(outDir, "icon.svg"));
    writePlainPages(outDir);
  },
});
