import { useCallback, useState } from "react";
import { useProject, useSession } from "../../../web/shell/session.ts";
import { type Draft, newDraft } from "./draft.ts";

const NAME = "attune-playground";

/** Returns the draft of the project and what changes a part of it. It stays in this tab until the browser is closed. */
export function useDraft(): readonly [Draft, (change: Partial<Draft>) => void] {
  const { id } = useProject();
  const { exampleModel } = useSession();
  const place = `${NAME}-${id}`;
  const [draft, setDraft] = useState(() => readDraft(place, newDraft(exampleModel)));
  const change = useCallback(
    (part: Partial<Draft>) =>
      setDraft((old) => {
        const changed = { ...old, ...part };
        sessionStorage.setItem(place, JSON.stringify(changed));
        return changed;
      }),
    [place],
  );
  return [draft, change];
}

/** Has the playground of a project begin with a draft. */
export function leaveDraft(projectId: string, draft: Draft): void {
  sessionStorage.setItem(`${NAME}-${projectId}`, JSON.stringify(draft));
}

/** A draft that was kept by another version may lack members. */
function readDraft(place: string, fallback: Draft): Draft {
  try {
    return { ...fallback, ...(JSON.parse(sessionStorage.getItem(place) ?? "{}") as Partial<Draft>) };
  } catch {
    return fallback;
  }
}
