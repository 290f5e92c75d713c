"""Reads a gateway's schema as Python clients do, checks a query against it, and sends the query: graphql_core.py URL QUERY"""

import json
import sys
import urllib.request

import graphql

url, query = sys.argv[1:]


def send(text):
    body = json.dumps({"query": text}).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)["data"]


# Debian 12 has graphql-core 2, later releases have graphql-core 3.
is_old = graphql.__version__.startswith("2.")
introspection = graphql.introspection_query if is_old else graphql.get_introspection_query()
schema = graphql.build_client_schema(send(introspection))
directives = schema.get_directives() if is_old else schema.directives
errors = [error.message for error in graphql.validate(schema, graphql.parse(query))]
locations = {
    directive.name: [getattr(location, "name", location) for location in directive.locations]
    for directive in directives
}
print(json.dumps({"locations": locations, "errors": errors, "data": send(query)}))
