import { FIFTY_NAMES } from './fifty-names.ts';

/** A tab as GraphiQL takes it; the operation's name becomes the tab's title. */
export interface GraphiqlTab {
  readonly query: string;
  readonly variables: string;
}

const everyForm = `# One DOI name, in every form there is.
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

const fiftyAtOnce = `# Fifty DOI names in one request, in order.
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

const asTheyCome = `# Fifty DOI names again, part by part:
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

const sameName = `# Do two spellings mean one DOI name, and why?
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

const whichAgency = `# Which registration agency has a name?
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

const inText = `# The DOI names in any text, and their places.
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

const suspicious = `# What may be wrong with a name, and the name
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

const prefixAndShort = `# Who assigns the names of a prefix, and what
# its own record says. Then a shortDOI, and the
# DOI name that it stands for.
query PrefixAndShortDoi($prefix: String!, $short: String!) {
  doiPrefix(name: $prefix) {
    registrationAgency {
      name
      title
    }
    record {
      status
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

const tab = (query: string, variables: object): GraphiqlTab => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

/** The tabs of a first visit. They are part of the manual: tests run them against the schema. */
export const graphiqlExamples: readonly GraphiqlTab[] = [
  tab(everyForm, { input: '10.1000/456#789' }),
  tab(fiftyAtOnce, { inputs: FIFTY_NAMES }),
  tab(asTheyCome, { inputs: FIFTY_NAMES }),
  tab(sameName, {
    a: '10.1000/demo_DOI',
    b: 'https://doi.org/10.1000/DEMO_doi',
    list: [
      '10.1000/456#789',
      'https://doi.org/10.1000/456%23789',
      'urn:doi:10.1000:456%23789',
      '10.1000/456',
      '10.1000/456/',
      '10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03',
      '10.26321/á.gutiérrez.zarza.02.2018.03',
      '10.1000',
    ],
  }),
  tab(whichAgency, {
    inputs: [
      '10.1021/jacs.5c01100',
      '10.5438/bc11-cqw1',
      '10.5240/7481-838B-59CA-63D0-B9A8-E',
      '10.2777/28598',
      '10.5555/no-such-name',
    ],
  }),
  tab(inText, {
    text: `Berninger (2020), doi:10.1021/jacs.5c01100. See also <https://doi.org/10.1000/182>
and <i>10.1103/PhysRevLett.118.140402</i>.`,
  }),
  tab(suspicious, {
    inputs: [
      '10.1000/182.',
      '10.1000/182?utm_source=mail',
      '10.1021/jacs.5c01100/pdf',
      '10.1000/d\u0435mo_DOI',
      'see https://doi.org/10.1000/182 and 10.1000/1',
    ],
    lookalike: '10.1000/d\u0435mo_DOI',
  }),
  tab(prefixAndShort, { prefix: '10.1021', short: '10/p54k' }),
];
