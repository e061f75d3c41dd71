import { foldCase } from "../../../../lib/fold-case.ts";
import type { DocLink } from "../../../features/docs/web/parse-doc.ts";
import { nameText } from "../../parts/name-text.ts";

/** Something that the palette leads to. */
export interface Choice {
  readonly kind: "Page" | "Setting" | "Action" | "Model" | "Key" | "Docs" | "Request" | "Search" | "Session";
  readonly label: string;
  /** Address below /dashboard. */
  readonly to: string;
}

/** The things that can be found. */
interface Found {
  /** Pages with their addresses. */
  readonly pages: readonly { readonly title: string; readonly to: string }[];
  /** Settings and actions on pages. */
  readonly shortcuts: readonly Choice[];
  /** Pages of the documentation. */
  readonly docs: readonly DocLink[];
  readonly models: readonly string[];
  readonly keys: readonly { readonly name: string; readonly publicId: string }[];
  /** Address of the history; undefined where there is no project. */
  readonly history: string | undefined;
  /** Address below which each session has its page, likewise. */
  readonly sessions: string | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** Ids of sessions are the callers' own: a word with a digit or a dash may be one. */
const SESSION = /^(?=.*[\d-])\S{3,200}$/;
/** Models, keys and pages of the documentation that are listed at a time. */
const MOST = 6;

/**
 * Returns what a text may mean, the likeliest first: an id, pages, settings, actions, models, keys, pages of the
 * documentation, and a search in the history.
 */
export function listChoices(
  text: string,
  { pages, shortcuts, docs, models, keys, history, sessions }: Found,
): readonly Choice[] {
  const wanted = foldCase(text.trim());
  const has = (name: string) => foldCase(name).includes(wanted);
  const listed: Choice[] = pages.filter(({ title }) => has(title)).map(({ title, to }) => page(title, to));
  if (history === undefined || wanted === "") return listed;
  const filtered = (parameter: string, value: string) => `${history}?${new URLSearchParams({ [parameter]: value })}`;
  const ids: Choice[] = UUID.test(wanted)
    ? [{ kind: "Request", label: `Open the request ${wanted}`, to: `${history}/${wanted}` }]
    : [];
  const id = text.trim();
  const ownSessions: Choice[] =
    sessions !== undefined && ids.length === 0 && SESSION.test(id)
      ? [{ kind: "Session", label: `Open the session ${nameText(id)}`, to: `${sessions}/${encodeURIComponent(id)}` }]
      : [];
  const ownDocs = docs.filter(({ label, target }) => has(`${label} ${target}`)).slice(0, MOST);
  const ownModels = models.filter(has).slice(0, MOST);
  const ownKeys = keys.slice(0, MOST);
  return [
    ...ids,
    ...listed,
    ...shortcuts.filter(({ label }) => has(label)),
    ...ownModels.map((name) => ({ kind: "Model", label: nameText(name), to: filtered("model", name) }) as const),
    ...ownKeys.map(
      ({ name, publicId }) => ({ kind: "Key", label: nameText(name), to: filtered("key", publicId) }) as const,
    ),
    ...ownDocs.map(({ label, target }) => ({ kind: "Docs", label, to: `/docs/${target}` }) as const),
    { kind: "Search", label: `Find “${nameText(id)}” in History`, to: filtered("q", id) },
    ...ownSessions,
  ];
}

function page(title: string, to: string): Choice {
  return { kind: "Page", label: title, to };
}
