"""The style unsrt links the field doi; the link is read from the HTML that pybtex writes."""

from html.parser import HTMLParser

from pybtex.backends.html import Backend
from pybtex.database import Entry
from pybtex.style.formatting.unsrt import Style
from serve import encode_of, serve


class Links(HTMLParser):
    href = None

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.href = dict(attrs)["href"]


def url_of(name):
    entry = Entry("misc", fields=[("title", "Title"), ("doi", name)])
    entry.key = "key"
    (formatted,) = Style().format_entries([entry])
    links = Links()
    links.feed(formatted.text.render(Backend()))
    return links.href


serve({"encode": encode_of(url_of)})
