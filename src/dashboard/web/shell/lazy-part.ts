import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/** A part of the dashboard did not come: the server is away, or has another version by now. */
export class LoadError extends Error {
  constructor(cause: unknown) {
    super("a part of the dashboard could not be loaded", { cause });
    this.name = "LoadError";
  }
}

/** Has a part loaded when it is first looked at; shows a LoadError where that fails. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      const part = await load();
      forgetReload();
      return { default: part };
    } catch (thrown) {
      throw new LoadError(thrown);
    }
  });
}

const RELOADED = "attune-reloaded";

/** Returns the version of this page; its script has the hash of the sources in its name. */
function version(): string {
  return document.querySelector<HTMLScriptElement>("script[type=module]")?.src ?? "";
}

/**
 * Loads the page anew, which brings the parts of the version that the server has now; returns false where this version
 * was loaded anew for that before, and in vain.
 */
export function reloadOnce(): boolean {
  if (sessionStorage.getItem(RELOADED) === version()) return false;
  sessionStorage.setItem(RELOADED, version());
  location.reload();
  return true;
}

function forgetReload(): void {
  sessionStorage.removeItem(RELOADED);
}
