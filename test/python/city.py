"""A structured answer, and the schema that the SDKs make of it."""

from pydantic import BaseModel


class City(BaseModel):
    city: str
    degrees: float


OSLO = City(city="Oslo", degrees=4)

SCHEMA = {
    "type": "object",
    "title": "City",
    "properties": {"city": {"type": "string", "title": "City"}, "degrees": {"type": "number", "title": "Degrees"}},
    "required": ["city", "degrees"],
    "additionalProperties": False,
}

# What a tool takes.
PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
