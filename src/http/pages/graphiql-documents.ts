// The example queries in the tabs of GraphiQL. Each query begins with a comment for the reader.

/** Fifty names of the bundled sample directory, in spellings that occur in catalogs. */
export const FIFTY_NAMES: readonly string[] = `
  10.1021/jacs.5c01100  10.5438/bc11-cqw1  10.5240/7481-838B-59CA-63D0-B9A8-E  10.2777/28598
  10.1103/PhysRevLett.118.140402  10.1177/0020720920940575  10.1371/journal.pone.0000030
  10.3389/fpsyg.2016.00565  10.5438/bv9z-dc66  10.5240/B1FA-0EEC-C316-3316-3A73-L
  10.1000/1  10.1000/182  10.1000/456  10.1000/456#789  10.1000/res#test  10.1000/demo_DOI
  10.123/456  10.123/456ABC/zyz  10.1006/rwei.1999".0001  10.4033/iee.2013.6b.6.f
  10.5594/SMPTE.ST2067-21.2020  10.6338/JDA.202212/SP_17(4).0000
  10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03  10.5555/multiurl  10.5555/unicode  10.5555/loc
  https://doi.org/10.1000/182  https://doi.org/10.1000/456%23789
  https://doi.org/10.1021/jacs.5c01100  https://doi.org/10.1103/PhysRevLett.118.140402
  https://doi.org/10.1177/0020720920940575  https://www.doi.org/10.5594/SMPTE.ST2067-21.2020
  https://doi.org/10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03
  http://dx.doi.org/10.1371/journal.pone.0000030  http://dx.doi.org/10.2777/28598
  doi.org/10.5240/7481-838B-59CA-63D0-B9A8-E
  https://doi.org/api/handles/10.3389/fpsyg.2016.00565
  https://doi.org/urn:doi:10.123:456ABC%2Fzyz  urn:doi:10.123:456ABC%2Fzyz
  urn:doi:10.4033:iee.2013.6b.6.f  info:doi/10.1000/182  info:doi/10.5438/bc11-cqw1
  hdl:10.5438/bv9z-dc66  doi:10.1000/456%23789  doi:10.1006/rwei.1999%22.0001
  DOI:10.1103/physrevlett.118.140402  10.1021/JACS.5C01100  10.1371/JOURNAL.PONE.0000030
  10.1000/DEMO_doi  <https://doi.org/10.3389/FPSYG.2016.00565>`
  .trim()
  .split(/\s+/);

export const everyForm = `# One DOI name, in every form.
# Change "input" below to any form of a DOI.
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

export const whatItIs = `# The work of a DOI name: title, people, year
# and a citation, from its agency.
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

export const whatBecame = `# Was a work retracted or corrected?
# NONE_RECORDED does not mean "sound".
query WhatBecame($inputs: [String!]!) {
  dois(inputs: $inputs) {
    name
    updates {
      outcome
      notices {
        kind
        date {
          text
        }
        doi {
          name
        }
        sources
      }
    }
    relations(kinds: [HAS_PREPRINT, IS_PREPRINT_OF]) {
      kind
      doi {
        name
      }
    }
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

export const asTheyCome = `# Fifty DOI names again. The response comes in
# parts: a part for each name that is ready.
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

export const sameName = `# Are two spellings the same DOI name, and why?
# Then a list: a group for each DOI name.
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

export const whichAgency = `# The registration agency of each name.
# If no agency is known, status and message
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

export const inText = `# The DOI names in a text, with positions.
# "repaired": check this name before you use it.
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

export const suspicious = `# Warnings about a name, and the name
# that was probably meant. No name is changed.
# "imitates": the ASCII character that a
# character looks like.
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

export const prefixAndShort = `# The registration agency of a prefix. Then
# a shortDOI, and its DOI name.
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
