// The second entry of the package: the functions behind the main entry, and readers of handles, reference lists and
// suggestions. The gateway is made of these. They may change with every minor version.

export * as encodingForms from './encoding-forms.ts';
export {
  codePoints,
  DOI_ENCODINGS,
  type DoiEncodingForm,
  displayForm,
  escapeMarkup,
  handlePath,
  handlesTarget,
  handleUri,
  handleUrl,
  nameTarget,
  type ProxyUrlParameters,
  recommendedUrl,
  templatePath,
  templateSegment,
  uriForm,
  urnForm,
  utf8Hex,
  whichRaPath,
  whichRaTarget,
} from './encoding-forms.ts';
export {
  compareDois,
  type DoiEquivalenceClasses,
  equivalenceClasses,
  type IndexedInput,
} from './equivalence.ts';
export { DoiFinder, type FoundDoi } from './find/doi-finder.ts';
export { findDois, type Reading, readingsIn } from './find/find-dois.ts';
export { meantBy, nameWarnings, probableNames } from './find/other-readings.ts';
export { punctuatedNames } from './find/punctuated-names.ts';
export { type ReferenceText, referenceAround } from './find/reference-around.ts';
export type { ReferenceEntry } from './find/reference-entries.ts';
export { type ReferenceList, splitReferences } from './find/reference-list.ts';
export { firstWords, isReference, plainWords } from './find/reference-shape.ts';
export { referenceText } from './find/reference-text.ts';
export { UnnamedEntries } from './find/unnamed-entries.ts';
export { foldBasicLatin, isAscii, isPrefix, prefixOf, suffixOf, toHandleName } from './name.ts';
export { isOrcid } from './other-identifiers.ts';
export { parseDoi } from './parse.ts';
export {
  type Decoded,
  encoderOf,
  hexOfByte,
  percentDecode,
  percentDecodeLeniently,
} from './percent.ts';
export { quoted } from './problem-messages.ts';
export { handleThatIsNotDoi, literalHandle, readHandle, readShortDoi } from './read-handle.ts';
export { DOI_FORMS, isBalanced, withoutEdges, withoutScheme } from './recognise.ts';
export { categoryOf, scriptsOf } from './scripts.ts';
export { asciiLookalike, digitTypos, letterTypos } from './suggest.ts';
export { normalized } from './unicode-normalization.ts';
export { lookalikeWarning, USUAL_NAME } from './warnings.ts';
