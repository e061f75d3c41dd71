import type { CarriedMember, CarriedMembers } from "../../shared/carried-member.ts";

const repeated: CarriedMember = {
  schema: { description: "Carried to an upstream of the same format, and repeated in the Response" },
};

/** Members of a request that only this format has. The upstream checks them. */
export const CARRIED: CarriedMembers = {
  user: repeated,
  max_tool_calls: repeated,
  service_tier: repeated,
  truncation: repeated,
  presence_penalty: repeated,
  frequency_penalty: repeated,
};
