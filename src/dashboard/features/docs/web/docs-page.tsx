import { Box, Title, type TitleOrder } from "@mantine/core";
import { type MouseEvent, useEffect, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { DASHBOARD_PATH } from "../../../web/dashboard-path.ts";
import { Markdown } from "../../../web/parts/markdown/markdown.tsx";
import { NotFound } from "../../../web/shell/not-found.tsx";
import { Page } from "../../../web/shell/page.tsx";
import { hasDoc, readDoc } from "./docs-files.ts";
import { type Doc, parseDoc } from "./parse-doc.ts";

const BASE = `${location.origin}${DASHBOARD_PATH}`;

/** Shows a page of the documentation that this version came with. */
export function DocsPage() {
  const { name = "README" } = useParams();
  return <ShownDoc key={name} name={name} />;
}

/** Shows a generated page of the reference. */
export function ReferencePage() {
  const { name = "README" } = useParams();
  return <ShownDoc key={name} name={`reference/${name}`} />;
}

function ShownDoc({ name }: { readonly name: string }) {
  const [doc, setDoc] = useState<Doc>();
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    void readDoc(name).then((text) => text !== undefined && setDoc(parseDoc(text, name, locate)));
  }, [name]);
  useEffect(() => {
    if (doc !== undefined && hash !== "") document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [doc, hash]);
  if (!hasDoc(name)) return <NotFound />;
  // Links of the documentation stay in this tab; others open another one.
  const follow = (event: MouseEvent) => {
    const { href = "" } = (event.target as Element).closest("a") ?? {};
    if (!href.startsWith(`${BASE}/docs`) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void navigate(href.slice(BASE.length));
  };
  const [first, ...sections] = doc?.sections ?? [];
  return (
    <Page title={doc?.title ?? "Documentation"} {...(name !== "README" && { back: BACK })} isNarrow>
      <Box onClick={follow} role="presentation">
        <Markdown text={first?.text ?? ""} />
        {sections.map(({ id, heading, level, text }) => (
          <section key={id} aria-labelledby={id}>
            <Title id={id} order={Math.min(level, 6) as TitleOrder} size={level === 2 ? "h3" : "h4"} mt="lg" mb="xs">
              {heading}
            </Title>
            <Markdown text={text} />
          </section>
        ))}
      </Box>
    </Page>
  );
}

const BACK = { label: "Documentation", to: "/docs" };

function locate(target: string): string | undefined {
  return hasDoc(target.replace(/#.*/, "")) ? `${BASE}/docs/${target}` : undefined;
}
