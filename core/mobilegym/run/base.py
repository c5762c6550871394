"""Base of all parts of the manifest: frozen, closed, camelCase outside and snake_case inside."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator
from pydantic.alias_generators import to_camel

MAX_TEXT = 1024
MAX_ITEMS = 64


class Part(BaseModel):
    """Unknown keys are errors."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        alias_generator=to_camel,
        populate_by_name=True,
        use_enum_values=False,
        protected_namespaces=(),
    )

    @field_validator("*", mode="before")
    @classmethod
    def _true_is_no_number(cls, value: Any, info: ValidationInfo) -> Any:
        annotation = cls.model_fields[info.field_name or ""].annotation
        if isinstance(value, bool) and annotation is not bool:
            raise ValueError("must not be true or false")
        return value


class SpecError(ValueError):
    """A rule over several fields is broken. `path` is relative to the model that raised it, in camelCase."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}\x00{message}")


def _whole_as_text(value: Any) -> Any:
    """`cpu: 4` is as good as `cpu: "4"`."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


# Fractions may be text: YAML reads 1e-6 as text, and a Kubernetes API writes fractions as strings. Integers may not.
Int = Annotated[int, Field(strict=True)]
Fraction = Annotated[float, Field(allow_inf_nan=False)]
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
Texts = Annotated[tuple[Text, ...], Field(max_length=MAX_ITEMS)]
Seconds = Annotated[float, Field(gt=0, le=30 * 86_400, allow_inf_nan=False, json_schema_extra={"format": "seconds"})]
Name = Annotated[str, Field(min_length=1, max_length=63, pattern=r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$")]
Quantity = Annotated[
    str,
    Field(
        max_length=32,
        pattern=r"^[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$",
        json_schema_extra={"format": "quantity"},
    ),
    BeforeValidator(_whole_as_text),
]
Image = Annotated[str, Field(min_length=1, max_length=512, pattern=r"^[^\s]+$")]
