import { anyMember, carriedTable } from "../../shared/member.ts";

const repeated = anyMember("Passed on to an upstream of the same format, and repeated in the Response");

/** Members of a request that only this format has. The upstream checks them. */
export const CARRIED = carriedTable({
  user: repeated,
  max_tool_calls: repeated,
  service_tier: repeated,
  truncation: repeated,
  presence_penalty: repeated,
  frequency_penalty: repeated,
});
