import { useState } from "react";

/**
 * Returns the secret of the link that was followed. It stands behind the #, which browsers send to nobody, and is taken
 * out of the address so that it stays in no history.
 */
export function useLinkSecret(): string {
  const [secret] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token") ?? "");
  if (location.hash !== "") history.replaceState(history.state, "", location.pathname);
  return secret;
}
