"""``altsel audit``: whether what a file of solutions claims is true."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel.auditing.audit import Audit, prover
from altsel.auditing.blankets.audit import without_dual
from altsel.auditing.looked_at import unfinished
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import restored
from altsel.cli.messages import announce, progress
from altsel.cli.options import Quiet, TimeLimit, Verbose
from altsel.cli.output import laid_out
from altsel.cli.recomputed import compared, same_points
from altsel.cli.recorded import BY_OPTIMISATION, command_in, problem_of, table_of
from altsel.cli.repeated import blanket_problem_of
from altsel.cli.solutions_file import grouped_as, read_result, read_solutions
from altsel.cli.told_notes import command_under_way, known_from, notes_in
from altsel.errors import ConfigurationError, DataError, listing
from altsel.exact.verification.verifier import Check
from altsel.results.front import Front
from altsel.results.request import read_request
from altsel.results.solutions import Solutions
from altsel.runtime.clock import STOPPED, clock, limited

WANTED = "solutions or a front"
AUDITED = (*BY_OPTIMISATION, "front", "blanket", "blankets", "rank")


def audit(
    ctx: typer.Context,
    solutions: Annotated[Path, typer.Argument(help="JSON that a command wrote.")],
    data: Annotated[Path, typer.Argument(help="The table it was found in.")],
    *,
    prove: Annotated[
        str | None, typer.Option(help="Prove optimality again by this profile of solvers.toml, such as scip.")
    ] = None,
    retest: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Of all blankets: how many of them and of the failed removals are tested again, drawn at "
            "random. Default: all.",
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(help="Check this certificate too, and that its numbers are those of the table."),
    ] = None,
    time_limit: TimeLimit = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Check what a file of solutions claims, without trusting how it was found.

    The verdict stands first, then what does not hold; --verbose lists every check. Exit code 0: confirmed;
    3: refuted, with the claim and by what; 4: not settled within the limit; 130: interrupted, with what was
    looked at until then. Of all blankets, the proof that there is no other one is made again from the failed
    removals in the file, and tests on the data again.

    Example: altsel audit found.json examples/data/ionosphere.csv.gz --prove scip
    """
    with progress(quiet), limited(time_limit):
        try:
            with command_under_way():
                claims = _told(ctx, solutions, data, prove, retest, certificate)
        except STOPPED as fault:
            clock().note(fault)
            claims = Audit((unfinished(fault),))
        interrupted = clock().interrupted
    typer.echo(laid_out(lambda: str(claims) if verbose else claims.summary()))
    if interrupted:
        announce("interrupted; this is what was looked at until then")
        raise typer.Exit(130)
    raise typer.Exit({"confirmed": 0, "refuted": 3}.get(claims.verdict, 4))


def _told(
    context: typer.Context,
    file: Path,
    data: Path,
    prove: str | None,
    retest: int | None,
    certificate: Path | None,
) -> Audit:
    plain = read_result(file, _plain, WANTED)
    if prove is not None:
        prover(prove)
    if retest is not None and "dual" not in plain:
        raise ConfigurationError(
            f"--retest {retest}: {file} has no failed removals of blankets to test again"
        )
    if "points" in plain:
        if certificate is not None:
            raise ConfigurationError(
                "--certificate: fronts are computed again, without one; check it by check_certificate.py"
            )
        read_result(file, Front.from_json, "a front")
        read_request(plain.get("request", {}))
        name, given = command_in(plain.get("request", {}))
        known_from(file, notes_in(plain["request"]))
        _check_options(_command(context, name), given)
        return _again(context, plain, plain["request"], data, prove)
    found = read_solutions(file, WANTED, repeated=True)
    name, given = command_in(found.request)
    known_from(file, notes_in(found.request))
    _check_options(_command(context, name), given)
    if name == "blankets" and found.dual is not None:
        return _blankets(found, given, data, prove, retest, certificate)
    if certificate is not None and name not in BY_OPTIMISATION:
        raise ConfigurationError(f"--certificate: there is none of what 'altsel {name}' finds")
    if name not in BY_OPTIMISATION:
        again = _again(context, plain, found.request, data, prove)
        if name != "blankets":
            return again
        unfounded, older = without_dual(found)
        return Audit((*again.checks, *unfounded), tuple(older))
    whole = table_of(found.request, data)
    table = grouped_as(whole, found.members)
    problem = problem_of(found.request, table)
    checks = [_same_data(found.request, table), *_same_options(found.request, given)]
    if found.members:
        checks.append(_same_members(whole, table, given))
    claims = altsel.audit(found, problem, prove=prove if checks[0].holds else None, certificate=certificate)
    return Audit((*checks, *claims.checks), claims.unproved)


def _blankets(
    found: Solutions,
    given: Mapping[str, Any],
    data: Path,
    prove: str | None,
    retest: int | None,
    certificate: Path | None,
) -> Audit:
    """Check blankets and what proves that there are no others, on the table of the search."""
    whole = table_of(found.request, data)
    table = grouped_as(whole, found.members)
    checks = [_same_data(found.request, table)]
    if found.members or given.get("group_copies", given.get("group_above")) not in (None, False):
        checks.append(_same_members(whole, table, given))
    number, stated = given.get("number"), re.match(r"best blankets, number=(\d+)", found.search)
    if number is not None and stated is not None:
        good = int(stated[1]) == number
        checks.append(Check("--number is what the search was for", good, "" if good else f"{stated[1]} was"))
    if not checks[0].holds:
        return Audit(tuple(checks))
    problem = blanket_problem_of(found.request, given, table)
    claims = altsel.audit(found, problem, prove=prove, retest=retest, certificate=certificate)
    return Audit((*checks, *claims.checks), claims.unproved)


def _same_options(request: Mapping[str, Any], given: Mapping[str, Any]) -> Iterator[Check]:
    """Compare the options of the command with what was requested of the search."""
    diversity = request.get("diversity") or {}
    within = request.get("within") or {}
    stated = {
        "tau": diversity.get("tau"),
        "alternatives": request.get("alternatives"),
        "limit": request.get("limit"),
        "within": within.get("share"),
        "within_absolute": within.get("amount"),
    }
    for name, recorded in stated.items():
        if name in given and recorded is not None:
            good = given[name] == recorded
            yield Check(
                f"--{name.replace('_', '-')} is what was requested", good, "" if good else f"{recorded!r} was"
            )


def _same_members(whole: altsel.Dataset, table: altsel.Dataset, given: Mapping[str, Any]) -> Check:
    """Group the table again as the options say; a file of an older version has none, and no members."""
    made = restored(GroupingOptions, given).grouped(whole).members
    wrong = sorted(name for name in {**made, **table.members} if made.get(name) != table.members.get(name))
    claim = "the members are those that the options group"
    return Check(claim, not wrong, f"others for {listing(wrong)}" if wrong else "")


def _plain(text: str) -> dict[str, Any]:
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise DataError(f"not JSON: {fault}") from fault
    return plain if isinstance(plain, dict) else {}


def _same_data(request: Mapping[str, Any], table: altsel.Dataset) -> Check:
    same = request.get("data") == table.fingerprint
    return Check("the table is the one of the search", same, "" if same else "its fingerprint is another")


def _again(
    context: typer.Context,
    plain: Mapping[str, Any],
    request: Mapping[str, Any],
    data: Path,
    prove: str | None,
) -> Audit:
    """Run the command again, and compare: for results of tests, rankings and fronts.

    With another solver named, fronts are computed by it.
    """
    name, given = command_in(request)
    command = _command(context, name)
    if prove is not None and name != "front":
        raise ConfigurationError(f"--prove {prove}: what 'altsel {name}' says is proved by no solver")
    same = _same_data(request, grouped_as(table_of(request, data), plain.get("members", {})))
    if "members" not in plain:  # of a version that did not group
        plain, given = {**plain, "members": {}}, {**given, "group_copies": False}
    rules = request["command"].get("rules")
    checks = [same, *compared(plain, _rerun(command, data, given, rules))]
    if prove is not None:
        checks += same_points(plain, _rerun(command, data, {**given, "solver": prove}, rules), prove)
    return Audit(tuple(checks))


def _rerun(command: Any, data: Path, given: Mapping[str, Any], rules: str | None) -> dict[str, Any]:
    """Run a command again, within the time that is left; what it writes as JSON."""
    changed, left = dict(given), clock().left
    if left < inf and "time_limit" in {str(param.name) for param in command.params}:
        changed["time_limit"] = max(min(float(changed.get("time_limit", left)), left), 1e-3)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "again.json"
        if rules is not None:
            changed["rules"] = Path(folder) / "rules.toml"
            changed["rules"].write_text(str(rules), encoding="utf-8", newline="\n")
        arguments = [str(data), "--format", "json", "--output", str(output), "--quiet"]
        arguments += _arguments(command, changed)
        code = command.main(arguments, prog_name=command.name, standalone_mode=False)
        if code == 130:
            clock().note(KeyboardInterrupt())
        return (
            _plain(output.read_text(encoding="utf-8"))
            if output.exists()
            else {"stop": f"none, the command ended with code {code}"}
        )


def _command(context: typer.Context, name: str) -> Any:
    if name not in AUDITED:
        raise DataError(f"the file names the command {name!r}; there are {listing(AUDITED)}")
    listed: Any = context.find_root().command
    return listed.get_command(context, name).real()


def _check_options(command: Any, given: Mapping[str, Any]) -> None:
    """Refuse options that the command does not have, or of no kind that it takes."""
    known = {str(param.name) for param in command.params}
    for name, value in given.items():
        if name not in known:
            raise DataError(f"the file names an option {name!r} that 'altsel {command.name}' does not have")
        if not isinstance(value, (bool, int, float, str, list)):
            raise DataError(f"the file has the option {name!r} = {value!r}")


def _arguments(command: Any, given: Mapping[str, Any]) -> list[str]:
    """Write options as they are given on the command line."""
    arguments: list[str] = []
    for parameter in command.params:
        value = given.get(str(parameter.name))
        if value is None:
            continue
        if isinstance(value, bool):  # a switch that is off by default has no way to say so
            arguments += (parameter.opts if value else parameter.secondary_opts)[:1]
        else:
            for one in value if isinstance(value, list) else [value]:
                arguments += [parameter.opts[0], str(one)]
    return arguments
