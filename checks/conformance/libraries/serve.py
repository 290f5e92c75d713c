"""What the adapters in Python share: they read requests, and respond to each."""

import json
import sys


def serve(answers):
    """answers: by task, a function of the input; it returns None for what the library does not promise."""
    for line in sys.stdin:
        request = json.loads(line)
        answer = answers.get(request["task"])
        output = answer(request["input"], request.get("notation")) if answer else None
        response = {"unsupported": True} if output is None else {"output": output}
        print(json.dumps({"id": request["id"], **response}), flush=True)


def encode_of(url_of):
    """An answer to encode: a URL is the only form that the libraries promise."""

    def encode(given, _notation):
        return {"text": url_of(given["name"])} if given["form"] in ("url", "urlMandatory") else None

    return encode
