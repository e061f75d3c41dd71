import { useSession } from "./session.ts";

/** Returns the address at which people and clients reach this Attune: as configured, else as this browser does. */
export function useOrigin(): string {
  return useSession().publicUrl ?? location.origin;
}
