"""The documentation lists `customization.doi` among the functions for records: it adds the link of the field doi."""

from bibtexparser.customization import doi
from serve import encode_of, serve

serve({"encode": encode_of(lambda name: doi({"doi": name})["link"][0]["url"])})
