"""Groups of options that several commands share: a dataclass each, whose fields become options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, get_type_hints

from altsel.cli.told_notes import command_under_way
from altsel.errors import DataError
from altsel.validation import messages

Group = TypeVar("Group")


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Turn a command whose options are fields of groups into one that takes each option by itself.

    A parameter annotated by a dataclass is replaced by its fields; what is called is given the
    dataclass made of them.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        if name in groups:
            parameters += _options(groups[name])
        else:
            parameters.append(parameter.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**given: Any) -> None:
        with command_under_way():
            for name, group in groups.items():
                own = {field.name: given.pop(field.name) for field in fields(group)}
                given[name] = group(**own)
            command(**given)

    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def restored(group: type[Group], given: Mapping[str, Any]) -> Group:
    """Build a group of the options that a command was given, as a file of solutions holds them.

    Raises
    ------
    DataError
        If an option is of no kind that the command takes.
    """
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415  (heavy)

    hints = get_type_hints(group)
    made = {}
    for name in (field.name for field in fields(group) if field.name in given):  # type: ignore[arg-type]
        try:
            made[name] = TypeAdapter(hints[name]).validate_python(given[name])
        except ValidationError as fault:
            what = f"the option {name!r} that the file says its search was given"
            raise DataError(f"{what}: {messages(fault)[0]}") from fault
    try:
        return group(**made)
    except TypeError as fault:
        raise DataError(f"the options that the file says its search was given are none: {fault}") from fault


def _options(group: Any) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
