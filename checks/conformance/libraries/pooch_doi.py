"""Documentation of `parse_url`: "doi:10.6084/m9.figshare.923450.v1/test.nc": the DOI, then a file's name."""

from pooch.utils import parse_url
from serve import serve

FILE = "/test.nc"


def parse(given, notation):
    if notation != "doi" or "form" in given:
        return None
    try:
        parts = parse_url(given["text"] + FILE)
    except ValueError:
        return {"name": None}
    is_read = parts["protocol"] == "doi" and parts["path"] == FILE
    return {"name": parts["netloc"] if is_read else None}


serve({"parse": parse})
