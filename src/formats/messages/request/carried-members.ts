import { type CarriedMember, type CarriedMembers, carriedObject } from "../../shared/carried-member.ts";
import { isJsonObject } from "../../shared/json.ts";
import { WireError } from "../../shared/read.ts";

const container: CarriedMember = {
  check: (value, path) => {
    if (typeof value !== "string" && !isJsonObject(value)) throw new WireError(path, "must be a string or an object");
  },
  schema: {
    oneOf: [
      { type: "string", description: "Its id" },
      { type: "object", description: "The container", additionalProperties: true },
    ],
    description: "Carried to an upstream of the same format",
  },
};

/** Members of a request that only this format has. */
export const CARRIED: CarriedMembers = { container, context_management: carriedObject() };
