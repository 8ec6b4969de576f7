"""The study on the page of its sets."""

from __future__ import annotations

import json
import re

import pytest

import altsel
from altsel.report.page import page
from altsel.report.parts import Parts
from tests.display.shown_objects import study
from tests.report.samples import HOSTILE, few


def test_claims_and_configurations_are_on_the_page() -> None:
    known = study(HOSTILE, 3)
    text = page(few(), Parts(study=known, dated=False))
    data = json.loads(re.findall(r'id="data">(.*?)</script>', text, re.DOTALL)[0])
    assert len(data["study"]["claims"]) == len(known.claims)
    assert data["study"]["tried"][2][1:] == [2.0, 0.5, 0.5]
    assert data["date"] is None
    assert text.count("</script>") == page(few()).count("</script>")
    assert text == page(few(), Parts(study=known, dated=False))


def test_what_is_no_study_is_refused() -> None:
    with pytest.raises(altsel.ArgumentError, match=r"study=5; give what altsel\.study returned"):
        page(few(), Parts(study=5))
