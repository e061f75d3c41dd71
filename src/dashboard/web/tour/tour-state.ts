import { useLocalStorage } from "@mantine/hooks";
import { useSession } from "../shell/session.ts";

/** The progress of an account in the tour, kept in this browser: it is nobody else's business. */
interface TourState {
  /** A tour that is new begins in the first project that has no calls. One that is done never begins by itself. */
  readonly status: "new" | "open" | "left" | "done";
  /** The project that it is of; empty for a new one. */
  readonly projectId: string;
  readonly seen: { readonly request: boolean; readonly evidence: boolean };
}

const NEW: TourState = { status: "new", projectId: "", seen: { request: false, evidence: false } };

/** Returns the state of the tour and what changes it, for all parts of the page. */
export function useTourState() {
  const { user } = useSession();
  return useLocalStorage<TourState>({
    key: `attune-tour-${user.id}`,
    defaultValue: NEW,
    getInitialValueInEffect: false,
    deserialize: parseTourState,
  });
}

/** Reads what a browser has stored; anything else is a new tour. */
export function parseTourState(text: string | undefined): TourState {
  try {
    const { status, projectId, seen } = JSON.parse(text ?? "") as Partial<TourState>;
    if (status !== "open" && status !== "left" && status !== "done") return NEW;
    return {
      status,
      projectId: typeof projectId === "string" ? projectId : "",
      seen: { request: seen?.request === true, evidence: seen?.evidence === true },
    };
  } catch {
    return NEW;
  }
}
