import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { PAGES } from "../../pages/index.ts";
import { LINKED, pagePath } from "../paths.ts";
import { type Choice, listChoices } from "./list-choices.ts";

const WAIT_MS = 150;
const MOST_KEYS = 6;

/** Returns what a text may mean in a project. */
export function useChoices(text: string, projectId: string | undefined): readonly Choice[] {
  const [asked] = useDebouncedValue(text.trim(), WAIT_MS);
  const isAsked = projectId !== undefined && asked !== "";
  const names = useQuery(
    trpc.overview.names.queryOptions(
      { projectId: projectId ?? "" },
      { enabled: projectId !== undefined, staleTime: 60_000 },
    ),
  );
  const keys = useQuery(
    trpc.keys.list.queryOptions(
      { projectId: projectId ?? "", text: asked.slice(0, 100), limit: MOST_KEYS },
      { enabled: isAsked, placeholderData: keepPreviousData },
    ),
  );
  const pages = PAGES.filter(({ group, scope }) => group !== undefined || scope === "account").flatMap((entry) => {
    const to = pagePath(entry, projectId);
    return to === undefined ? [] : [{ title: entry.title, to }];
  });
  return listChoices(text, {
    pages,
    models: names.data?.model ?? [],
    keys: isAsked ? (keys.data?.keys ?? []) : [],
    history: pagePath(LINKED.history, projectId),
    sessions: pagePath(LINKED.sessions, projectId),
  });
}
