"""One page of everything known of some solutions: self-contained, without network, for any browser.

`altsel.Solutions.report` and `altsel.Front.report` write it, and so does ``altsel report``. `page` puts it
together of what `content` gathers; its script is the files of ``script/``, its style ``report.css``.
"""
