import { useMediaQuery } from "@mantine/hooks";

/** As wide as the shell takes for a phone, whose rows are cards. */
const PHONE = "(max-width: 48em)";

/** Tells whether the screen is as narrow as a phone's. */
export function useIsPhone(): boolean {
  return useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
}
