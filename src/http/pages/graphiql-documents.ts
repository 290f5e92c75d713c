// The queries of GraphiQL's first visit, each with what it shows in its first lines.

export const everyForm = `# One DOI name, in every form there is.
# Change "input" below: any form is understood.
query EveryForm($input: String!) {
  doi(input: $input) {
    name
    canonicalName
    prefix
    suffix
    display
    uri
    url
    mandatoryUrl: url(encoding: MANDATORY)
    dxUrl
    urn
    urnUrl
    infoUri
    handleUri
    apiUrl
    whichRaUrl
    webForm
    html
    markdown
    utf8Hex
  }
}`;

export const whatItIs = `# What a DOI name names: title, people, year,
# as its agency describes it, and a citation.
query WhatItIs($input: String!) {
  doi(input: $input) {
    name
    metadata {
      title
      creators {
        name
        orcid
      }
      issued {
        text
      }
      containerTitle
      publisher
      source
    }
    citation(style: "apa")
    bibtex
  }
}`;

export const fiftyAtOnce = `# Fifty DOI names in one request, in order.
# Two spellings of one name cost one look-up.
query FiftyAtOnce($inputs: [String!]!) {
  dois(inputs: $inputs) {
    name
    exists
    registrationAgency {
      name
    }
    record {
      values(types: ["URL"]) {
        text
      }
    }
  }
}`;

export const asTheyCome = `# Fifty DOI names again, part by part:
# what is deferred of each name comes as soon
# as the directory has answered for it.
query AsTheyCome($inputs: [String!]!) {
  dois(inputs: $inputs) {
    name
    ... @defer {
      exists
      registrationAgency {
        name
      }
    }
  }
}`;

export const sameName = `# Do two spellings mean one DOI name, and why?
# Then a whole list, sorted by the DOI name.
query SameName($a: String!, $b: String!, $list: [String!]!) {
  doiEquivalence(a: $a, b: $b) {
    equivalent
    relation
    explanation
  }
  doiEquivalenceClasses(inputs: $list) {
    classes {
      doi {
        canonicalName
      }
      members {
        index
        input
      }
    }
    unreadable {
      index
      input
      problem {
        code
        message
      }
    }
  }
}`;

export const whichAgency = `# Which registration agency has a name?
# Where none is known, status and message
# say why.
query WhichRA($inputs: [String!]!) {
  dois(inputs: $inputs) {
    name
    whichRa {
      status
      agency {
        name
        title
        homepageUrl
      }
      message
    }
  }
}`;

export const inText = `# The DOI names in any text, and their places.
# "repaired": look at it before you use it.
query InText($text: String!) {
  findDois(text: $text) {
    doi {
      name
      exists
    }
    text
    start
    end
    repaired
  }
}`;

export const suspicious = `# What may be wrong with a name, and the name
# that was probably meant. No name is changed.
# "imitates": what a character looks like.
query Suspicious($inputs: [String!]!, $lookalike: String!) {
  parseDois(inputs: $inputs) {
    doi {
      name
      warnings {
        code
        message
        repaired {
          name
        }
      }
    }
    problem {
      message
    }
    meant {
      doi {
        name
      }
    }
  }
  doi(input: $lookalike) {
    asciiLookalike
    characters {
      character
      codePoint
      name
      imitates
    }
  }
}`;

export const prefixAndShort = `# Who assigns the names of a prefix. Then a
# shortDOI, and the DOI name that it stands for.
query PrefixAndShortDoi($prefix: String!, $short: String!) {
  doiPrefix(name: $prefix) {
    name
    registrationAgency {
      name
      title
      homepageUrl
    }
  }
  shortDoi(input: $short) {
    url
    exists
    doi {
      name
    }
  }
}`;
