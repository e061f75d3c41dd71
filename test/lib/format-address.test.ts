import { expect, it } from "vitest";
import { formatAddress } from "../../src/lib/format-address.ts";

it.each([
  ["::", "[::]:8080"],
  ["::1", "[::1]:8080"],
  ["fe80::1%eth0", "[fe80::1%eth0]:8080"],
  ["127.0.0.1", "127.0.0.1:8080"],
  ["localhost", "localhost:8080"],
])("writes %s", (host, text) => {
  expect(formatAddress(host, 8080)).toBe(text);
});
