// Written by `npm run tables`.

export interface Operations {
  readonly InspectName: {
    readonly variables: {
      readonly input: string;
      readonly closely?: boolean;
    };
    readonly data: {
      readonly parseDoi: {
        readonly form: DOIForm | null;
        readonly fragment: string | null;
        readonly proxyParameters: readonly ({
          readonly name: string;
          readonly value: string | null;
        })[];
        readonly problem: {
          readonly code: DOIProblemCode;
          readonly message: string;
          readonly position: number | null;
          readonly looksLike: OtherIdentifier | null;
        } | null;
        readonly meant: readonly {
          readonly text: string;
          readonly start: number;
          readonly end: number;
          readonly repaired: boolean;
          readonly doi: {
            readonly id: string;
            readonly name: string;
            readonly canonicalName: string;
            readonly url: string;
          };
        }[];
        readonly doi: {
          readonly id: string;
          readonly name: string;
          readonly canonicalName: string;
          readonly prefix: string;
          readonly suffix: string;
          readonly directoryIndicator: string;
          readonly registrantCode: string;
          readonly encodings: readonly {
            readonly form: DOIEncodingForm;
            readonly label: string;
            readonly value: string;
            readonly sourceDocument: string;
          }[];
          readonly warnings: readonly ({
            readonly code: DOIWarningCode;
            readonly message: string;
            readonly position: number | null;
            readonly repaired: {
              readonly id: string;
              readonly name: string;
            } | null;
          })[];
          readonly characters?: readonly ({
            readonly character: string;
            readonly codePoint: string;
            readonly name: string | null;
            readonly imitates: string | null;
          })[];
        } | null;
      } | null;
      readonly doiDirectory: {
        readonly kind: DOIDirectoryKind;
        readonly description: string;
      } | null;
    };
  };
  readonly InspectText: {
    readonly variables: {
      readonly text: string;
    };
    readonly data: {
      readonly findDois: readonly ({
        readonly text: string;
        readonly start: number;
        readonly end: number;
        readonly repaired: boolean;
        readonly doi: {
          readonly id: string;
          readonly name: string;
          readonly canonicalName: string;
          readonly url: string;
        };
      } | null)[] | null;
      readonly doiDirectory: {
        readonly kind: DOIDirectoryKind;
        readonly description: string;
      } | null;
    };
  };
  readonly InspectList: {
    readonly variables: {
      readonly inputs: readonly string[];
    };
    readonly data: {
      readonly dois: readonly ({
        readonly id: string;
        readonly exists: boolean | null;
        readonly registrationAgency: {
          readonly name: string;
          readonly title: string | null;
        } | null;
        readonly redirect: {
          readonly url: string | null;
        } | null;
        readonly warnings: readonly {
          readonly code: DOIWarningCode;
        }[];
      } | null)[] | null;
    };
  };
  readonly InspectShortDoi: {
    readonly variables: {
      readonly input: string;
    };
    readonly data: {
      readonly shortDoi: {
        readonly doi: {
          readonly id: string;
          readonly name: string;
        } | null;
      } | null;
    };
  };
  readonly InspectDirectory: {
    readonly variables: {
      readonly input: string;
      readonly parameters?: RedirectInput | null;
    };
    readonly data: {
      readonly named: {
        readonly id: string;
        readonly record: {
          readonly handle: string;
          readonly status: HandleStatus;
          readonly message: string | null;
          readonly responseCode: number;
          readonly fetchedAt: string;
          readonly freshUntil: string;
          readonly stale: boolean;
          readonly values: readonly ({
            readonly index: number;
            readonly type: string;
            readonly ttl: number | null;
            readonly expiresAt: string | null;
            readonly timestamp: string | null;
            readonly permissions: string | null;
            readonly references: readonly {
              readonly handle: string;
              readonly index: number;
            }[];
            readonly data: {
              readonly __typename: 'HandleAdminData';
              readonly format: string;
              readonly handle: string;
              readonly index: number;
              readonly permissions: string;
              readonly grants: readonly HandlePermission[];
              readonly legacyByteLength: boolean;
            } | {
              readonly __typename: 'HandleBinaryData';
              readonly format: string;
              readonly base64: string;
              readonly hex: string;
              readonly byteLength: number;
              readonly text: string | null;
            } | {
              readonly __typename: 'HandleKeyData';
              readonly format: string;
              readonly key: unknown | null;
            } | {
              readonly __typename: 'HandleOtherData';
              readonly format: string;
              readonly other: unknown | null;
            } | {
              readonly __typename: 'HandleSiteData';
              readonly format: string;
              readonly site: unknown | null;
            } | {
              readonly __typename: 'HandleStringData';
              readonly format: string;
              readonly value: string;
            } | {
              readonly __typename: 'HandleValueListData';
              readonly format: string;
              readonly references: readonly {
                readonly handle: string;
                readonly index: number;
              }[];
            };
          })[];
        } | null;
        readonly locations: readonly ({
          readonly localId: string | null;
          readonly href: string;
          readonly weight: number;
          readonly country: string | null;
          readonly label: string | null;
          readonly httpRole: string | null;
          readonly attributes: readonly {
            readonly name: string;
            readonly value: string;
          }[];
        })[] | null;
        readonly alias: {
          readonly handle: string;
          readonly doi: {
            readonly id: string;
          } | null;
        } | null;
        readonly redirect: {
          readonly url: string | null;
          readonly chosenBy: RedirectChoice;
          readonly statusCode: number | null;
          readonly via: readonly string[];
          readonly location: {
            readonly localId: string | null;
            readonly href: string;
            readonly weight: number;
            readonly country: string | null;
          } | null;
          readonly candidates: readonly ({
            readonly localId: string | null;
            readonly href: string;
            readonly weight: number;
            readonly country: string | null;
          })[];
          readonly warnings: readonly {
            readonly code: RedirectWarningCode;
            readonly message: string;
          }[];
        } | null;
        readonly registrationAgency: {
          readonly name: string;
          readonly title: string | null;
          readonly homepageUrl: string | null;
          readonly documented: boolean;
        } | null;
        readonly whichRa: {
          readonly status: WhichRAStatus;
          readonly message: string | null;
        } | null;
        readonly suggestions: readonly {
          readonly id: string;
          readonly name: string;
        }[] | null;
      } | null;
    };
  };
  readonly InspectRedirect: {
    readonly variables: {
      readonly input: string;
      readonly parameters?: RedirectInput | null;
    };
    readonly data: {
      readonly named: {
        readonly id: string;
        readonly redirect: {
          readonly url: string | null;
          readonly chosenBy: RedirectChoice;
          readonly statusCode: number | null;
          readonly via: readonly string[];
          readonly location: {
            readonly localId: string | null;
            readonly href: string;
            readonly weight: number;
            readonly country: string | null;
          } | null;
          readonly candidates: readonly ({
            readonly localId: string | null;
            readonly href: string;
            readonly weight: number;
            readonly country: string | null;
          })[];
          readonly warnings: readonly {
            readonly code: RedirectWarningCode;
            readonly message: string;
          }[];
        } | null;
      } | null;
    };
  };
  readonly InspectHandle: {
    readonly variables: {
      readonly input: string;
    };
    readonly data: {
      readonly handle: {
        readonly id: string;
        readonly name: string;
        readonly prefix: string;
        readonly suffix: string;
        readonly url: string;
      } | null;
    };
  };
  readonly InspectHandleDirectory: {
    readonly variables: {
      readonly input: string;
      readonly parameters?: RedirectInput | null;
    };
    readonly data: {
      readonly named: {
        readonly id: string;
        readonly record: {
          readonly handle: string;
          readonly status: HandleStatus;
          readonly message: string | null;
          readonly responseCode: number;
          readonly fetchedAt: string;
          readonly freshUntil: string;
          readonly stale: boolean;
          readonly values: readonly ({
            readonly index: number;
            readonly type: string;
            readonly ttl: number | null;
            readonly expiresAt: string | null;
            readonly timestamp: string | null;
            readonly permissions: string | null;
            readonly references: readonly {
              readonly handle: string;
              readonly index: number;
            }[];
            readonly data: {
              readonly __typename: 'HandleAdminData';
              readonly format: string;
              readonly handle: string;
              readonly index: number;
              readonly permissions: string;
              readonly grants: readonly HandlePermission[];
              readonly legacyByteLength: boolean;
            } | {
              readonly __typename: 'HandleBinaryData';
              readonly format: string;
              readonly base64: string;
              readonly hex: string;
              readonly byteLength: number;
              readonly text: string | null;
            } | {
              readonly __typename: 'HandleKeyData';
              readonly format: string;
              readonly key: unknown | null;
            } | {
              readonly __typename: 'HandleOtherData';
              readonly format: string;
              readonly other: unknown | null;
            } | {
              readonly __typename: 'HandleSiteData';
              readonly format: string;
              readonly site: unknown | null;
            } | {
              readonly __typename: 'HandleStringData';
              readonly format: string;
              readonly value: string;
            } | {
              readonly __typename: 'HandleValueListData';
              readonly format: string;
              readonly references: readonly {
                readonly handle: string;
                readonly index: number;
              }[];
            };
          })[];
        } | null;
        readonly locations: readonly ({
          readonly localId: string | null;
          readonly href: string;
          readonly weight: number;
          readonly country: string | null;
          readonly label: string | null;
          readonly httpRole: string | null;
          readonly attributes: readonly {
            readonly name: string;
            readonly value: string;
          }[];
        })[] | null;
        readonly alias: {
          readonly handle: string;
          readonly doi: {
            readonly id: string;
          } | null;
        } | null;
        readonly redirect: {
          readonly url: string | null;
          readonly chosenBy: RedirectChoice;
          readonly statusCode: number | null;
          readonly via: readonly string[];
          readonly location: {
            readonly localId: string | null;
            readonly href: string;
            readonly weight: number;
            readonly country: string | null;
          } | null;
          readonly candidates: readonly ({
            readonly localId: string | null;
            readonly href: string;
            readonly weight: number;
            readonly country: string | null;
          })[];
          readonly warnings: readonly {
            readonly code: RedirectWarningCode;
            readonly message: string;
          }[];
        } | null;
      } | null;
    };
  };
  readonly InspectHandleRedirect: {
    readonly variables: {
      readonly input: string;
      readonly parameters?: RedirectInput | null;
    };
    readonly data: {
      readonly named: {
        readonly id: string;
        readonly redirect: {
          readonly url: string | null;
          readonly chosenBy: RedirectChoice;
          readonly statusCode: number | null;
          readonly via: readonly string[];
          readonly location: {
            readonly localId: string | null;
            readonly href: string;
            readonly weight: number;
            readonly country: string | null;
          } | null;
          readonly candidates: readonly ({
            readonly localId: string | null;
            readonly href: string;
            readonly weight: number;
            readonly country: string | null;
          })[];
          readonly warnings: readonly {
            readonly code: RedirectWarningCode;
            readonly message: string;
          }[];
        } | null;
      } | null;
    };
  };
  readonly InspectTwo: {
    readonly variables: {
      readonly a: string;
      readonly b: string;
      readonly closely?: boolean;
    };
    readonly data: {
      readonly doiEquivalence: {
        readonly relation: DOIEquivalenceRelation;
        readonly equivalent: boolean | null;
        readonly equivalentInNiso2000: boolean | null;
        readonly explanation: string;
        readonly a: {
          readonly doi: {
            readonly id: string;
            readonly name: string;
            readonly characters?: readonly ({
              readonly character: string;
              readonly codePoint: string;
              readonly name: string | null;
              readonly imitates: string | null;
            })[];
          } | null;
          readonly problem: {
            readonly code: DOIProblemCode;
            readonly message: string;
            readonly position: number | null;
          } | null;
        };
        readonly b: {
          readonly doi: {
            readonly id: string;
            readonly name: string;
            readonly characters?: readonly ({
              readonly character: string;
              readonly codePoint: string;
              readonly name: string | null;
              readonly imitates: string | null;
            })[];
          } | null;
          readonly problem: {
            readonly code: DOIProblemCode;
            readonly message: string;
            readonly position: number | null;
          } | null;
        };
      } | null;
    };
  };
  readonly InspectTwoAliases: {
    readonly variables: {
      readonly a: string;
      readonly b: string;
    };
    readonly data: {
      readonly doiEquivalence: {
        readonly sameAliasTarget: boolean | null;
        readonly a: {
          readonly doi: {
            readonly name: string;
            readonly exists: boolean | null;
          } | null;
        };
        readonly b: {
          readonly doi: {
            readonly name: string;
            readonly exists: boolean | null;
          } | null;
        };
      } | null;
      readonly doiDirectory: {
        readonly kind: DOIDirectoryKind;
      } | null;
    };
  };
  readonly InspectWork: {
    readonly variables: {
      readonly input: string;
    };
    readonly data: {
      readonly doi: {
        readonly id: string;
        readonly metadata: {
          readonly title: string | null;
          readonly titleHtml: string | null;
          readonly creators: readonly {
            readonly name: string;
            readonly affiliations: readonly {
              readonly name: string;
            }[];
          }[];
          readonly issued: {
            readonly year: number;
          } | null;
          readonly containerTitle: string | null;
          readonly publisher: string | null;
          readonly volume: string | null;
          readonly issue: string | null;
          readonly page: string | null;
          readonly kind: WorkKind;
          readonly abstract: string | null;
          readonly licenses: readonly ({
            readonly url: string | null;
            readonly name: string | null;
            readonly spdx: string | null;
            readonly appliesTo: string | null;
          })[];
          readonly funding: readonly ({
            readonly funder: string;
            readonly funderId: string | null;
            readonly awardNumber: string | null;
            readonly awardTitle: string | null;
            readonly awardUrl: string | null;
          })[];
          readonly referenceCount: number | null;
          readonly source: string;
          readonly fetchedAt: string;
          readonly stale: boolean;
        } | null;
        readonly updates: {
          readonly outcome: UpdateOutcome;
          readonly source: string;
          readonly notices: readonly ({
            readonly kind: UpdateKind;
            readonly type: string;
            readonly doi: {
              readonly id: string;
              readonly name: string;
            } | null;
            readonly date: {
              readonly text: string;
            } | null;
            readonly sources: readonly string[];
          })[];
          readonly noticeOf: readonly ({
            readonly kind: UpdateKind;
            readonly type: string;
            readonly work: {
              readonly id: string;
              readonly name: string;
            } | null;
            readonly date: {
              readonly text: string;
            } | null;
          })[];
        } | null;
        readonly relations: readonly ({
          readonly kind: RelationKind;
          readonly doi: {
            readonly id: string;
            readonly name: string;
          } | null;
          readonly identifier: string;
        })[] | null;
      } | null;
    };
  };
  readonly InspectReferences: {
    readonly variables: {
      readonly input: string;
    };
    readonly data: {
      readonly doi: {
        readonly id: string;
        readonly references: readonly ({
          readonly text: string | null;
          readonly title: string | null;
          readonly year: number | null;
          readonly doi: {
            readonly id: string;
            readonly name: string;
          } | null;
        })[] | null;
      } | null;
    };
  };
  readonly InspectListTitles: {
    readonly variables: {
      readonly inputs: readonly string[];
    };
    readonly data: {
      readonly dois: readonly ({
        readonly id: string;
        readonly metadata: {
          readonly title: string | null;
          readonly issued: {
            readonly year: number;
          } | null;
        } | null;
        readonly updates: {
          readonly outcome: UpdateOutcome;
          readonly source: string;
        } | null;
      } | null)[] | null;
    };
  };
  readonly InspectListBibtex: {
    readonly variables: {
      readonly inputs: readonly string[];
    };
    readonly data: {
      readonly dois: readonly ({
        readonly id: string;
        readonly bibtex: string | null;
      } | null)[] | null;
    };
  };
  readonly InspectCitation: {
    readonly variables: {
      readonly input: string;
      readonly style: string;
    };
    readonly data: {
      readonly doi: {
        readonly id: string;
        readonly text: string | null;
      } | null;
    };
  };
  readonly InspectBibtex: {
    readonly variables: {
      readonly input: string;
    };
    readonly data: {
      readonly doi: {
        readonly id: string;
        readonly text: string | null;
      } | null;
    };
  };
  readonly InspectRis: {
    readonly variables: {
      readonly input: string;
    };
    readonly data: {
      readonly doi: {
        readonly id: string;
        readonly text: string | null;
      } | null;
    };
  };
  readonly InspectMatches: {
    readonly variables: {
      readonly references: readonly string[];
    };
    readonly data: {
      readonly matchReferences: readonly ({
        readonly outcome: ReferenceOutcome;
        readonly doi: {
          readonly id: string;
          readonly name: string;
        } | null;
        readonly evidence: readonly ({
          readonly detail: ReferenceDetail;
          readonly verdict: DetailVerdict;
          readonly inReference: string | null;
          readonly inWork: string | null;
        })[];
        readonly candidates: readonly ({
          readonly doi: {
            readonly id: string;
            readonly name: string;
          };
          readonly evidence: readonly ({
            readonly detail: ReferenceDetail;
            readonly verdict: DetailVerdict;
            readonly inReference: string | null;
            readonly inWork: string | null;
          })[];
        })[];
        readonly sources: readonly string[];
      } | null)[] | null;
    };
  };
}

export type DOIDirectoryKind =
  | 'EMBEDDED'
  | 'PROXY';

export type DOIEncodingForm =
  | 'API_URL'
  | 'CODE_POINTS'
  | 'DISPLAY'
  | 'DX_URL'
  | 'HANDLE_URI'
  | 'HTML'
  | 'INFO_URI'
  | 'MARKDOWN'
  | 'NAME'
  | 'URI'
  | 'URL_MANDATORY'
  | 'URL_RECOMMENDED'
  | 'URN'
  | 'URN_URL'
  | 'UTF8_HEX'
  | 'WEB_FORM'
  | 'WHICH_RA_URL';

export type DOIEquivalenceRelation =
  | 'CASE'
  | 'CONFUSABLE'
  | 'DISTINCT'
  | 'DOUBLE_ENCODING'
  | 'IDENTICAL'
  | 'INVALID'
  | 'NON_LATIN_CASE'
  | 'NORMALIZATION'
  | 'TRAILING_SLASH';

export type DOIForm =
  | 'HANDLE_URI'
  | 'INFO_URI'
  | 'NAME'
  | 'URI'
  | 'URL'
  | 'URN'
  | 'WEB_FORM';

export type DOIProblemCode =
  | 'EMPTY'
  | 'INVALID_DIRECTORY_INDICATOR'
  | 'INVALID_PERCENT_ENCODING'
  | 'INVALID_PREFIX'
  | 'INVALID_UTF8'
  | 'MISSING_SUFFIX'
  | 'NON_GRAPHIC_CHARACTER'
  | 'NOT_A_DOI'
  | 'NOT_IN_FORM'
  | 'SHORT_DOI'
  | 'UNPAIRED_SURROGATE';

export type DOIWarningCode =
  | 'CONFUSABLE_CHARACTERS'
  | 'DASH'
  | 'DOT_SEGMENT'
  | 'HTML_ENTITY'
  | 'LOOKS_PERCENT_ENCODED'
  | 'MARKUP'
  | 'MIXED_SCRIPTS'
  | 'NOT_NFC'
  | 'QUERY_OR_FRAGMENT'
  | 'RESERVED_SUFFIX'
  | 'SEVERAL_NAMES'
  | 'TRAILING_PUNCTUATION'
  | 'TRAILING_SLASH'
  | 'VIEW_SUFFIX'
  | 'WHITE_SPACE';

export type DetailVerdict =
  | 'AGREES'
  | 'DIFFERS'
  | 'NOT_STATED';

export type HandlePermission =
  | 'ADD_ADMIN'
  | 'ADD_DERIVED_PREFIX'
  | 'ADD_HANDLE'
  | 'ADD_VALUE'
  | 'DELETE_DERIVED_PREFIX'
  | 'DELETE_HANDLE'
  | 'LIST_HANDLES'
  | 'MODIFY_ADMIN'
  | 'MODIFY_VALUE'
  | 'READ_VALUE'
  | 'REMOVE_ADMIN'
  | 'REMOVE_VALUE';

export type HandleStatus =
  | 'ERROR'
  | 'HANDLE_NOT_FOUND'
  | 'SUCCESS'
  | 'VALUES_NOT_FOUND';

export type OtherIdentifier =
  | 'ARXIV'
  | 'HANDLE'
  | 'ISBN'
  | 'ISSN'
  | 'ORCID'
  | 'PMCID'
  | 'PMID'
  | 'ROR'
  | 'SHORT_DOI'
  | 'URL';

export type RedirectChoice =
  | 'COUNTRY'
  | 'LOCATT'
  | 'NONE'
  | 'ONLY_LOCATION'
  | 'SCORE'
  | 'URL'
  | 'WEIGHTED';

export interface RedirectInput {
  readonly accept?: string | null;
  readonly acceptLanguage?: string | null;
  readonly country?: string | null;
  readonly ignoreAliases?: boolean | null;
  readonly indexes?: readonly number[] | null;
  readonly locatt?: readonly string[] | null;
  readonly types?: readonly string[] | null;
  readonly urlAppend?: string | null;
  readonly userAgent?: string | null;
}

export type RedirectWarningCode =
  | 'UNREADABLE_LOCATIONS'
  | 'UNSAFE_TARGET';

export type ReferenceDetail =
  | 'AUTHORS'
  | 'CONTAINER'
  | 'DOI'
  | 'ISSUE'
  | 'PAGE'
  | 'TITLE'
  | 'VOLUME'
  | 'YEAR';

export type ReferenceOutcome =
  | 'DIFFERS'
  | 'FOUND'
  | 'NOT_FOUND'
  | 'SEVERAL';

export type RelationKind =
  | 'HAS_PART'
  | 'HAS_PREPRINT'
  | 'HAS_REVIEW'
  | 'HAS_TRANSLATION'
  | 'HAS_VERSION'
  | 'IS_NEW_VERSION_OF'
  | 'IS_PART_OF'
  | 'IS_PREPRINT_OF'
  | 'IS_PREVIOUS_VERSION_OF'
  | 'IS_REPLACED_BY'
  | 'IS_REVIEW_OF'
  | 'IS_SAME_AS'
  | 'IS_SUPPLEMENTED_BY'
  | 'IS_SUPPLEMENT_TO'
  | 'IS_TRANSLATION_OF'
  | 'IS_VERSION_OF'
  | 'OTHER'
  | 'REPLACES';

export type UpdateKind =
  | 'ADDENDUM'
  | 'CLARIFICATION'
  | 'CORRECTION'
  | 'CORRIGENDUM'
  | 'ERRATUM'
  | 'EXPRESSION_OF_CONCERN'
  | 'NEW_EDITION'
  | 'NEW_VERSION'
  | 'OTHER'
  | 'PARTIAL_RETRACTION'
  | 'REMOVAL'
  | 'RETRACTION'
  | 'WITHDRAWAL';

export type UpdateOutcome =
  | 'CONCERN'
  | 'CONTRADICTORY'
  | 'CORRECTED'
  | 'NONE_RECORDED'
  | 'NOT_REPORTED'
  | 'PARTLY_RETRACTED'
  | 'REMOVED'
  | 'RETRACTED'
  | 'UPDATED'
  | 'WITHDRAWN';

export type WhichRAStatus =
  | 'DOES_NOT_EXIST'
  | 'FOUND'
  | 'INVALID_DOI'
  | 'UNKNOWN';

export type WorkKind =
  | 'ARTICLE'
  | 'AUDIOVISUAL'
  | 'BOOK'
  | 'BOOK_CHAPTER'
  | 'COLLECTION'
  | 'COMPONENT'
  | 'CONFERENCE_PAPER'
  | 'DATASET'
  | 'DISSERTATION'
  | 'GRANT'
  | 'IMAGE'
  | 'INSTRUMENT'
  | 'MODEL'
  | 'OTHER'
  | 'PEER_REVIEW'
  | 'PERIODICAL'
  | 'PHYSICAL_OBJECT'
  | 'POSTER'
  | 'PREPRINT'
  | 'PRESENTATION'
  | 'PROCEEDINGS'
  | 'PROJECT'
  | 'REFERENCE_ENTRY'
  | 'REPORT'
  | 'SOFTWARE'
  | 'SOUND'
  | 'STANDARD'
  | 'STUDY_REGISTRATION'
  | 'WORKFLOW';
