/** The head shape of a breed without a hand-set one, from its family, measures and name. */
import type { Coat, Family, HeadType, PortraitFacts } from '#features/breeds/portrait/types.ts'

// A table of patterns.
// prettier-ignore
const HEAD_BY_NAME: Partial<Record<Family, readonly (readonly [RegExp, HeadType])[]>> = {
  hound: [[/basset/, 'basset'], [/rastreador/, 'tracker'], [/segugio|italiano/, 'segugio'], [/suizo/, 'laufhund'], [/frances|gascuna|gascon/, 'grandHound'], [/foxhound|harrier/, 'foxhound'], [/coonhound/, 'coonhound'], [/grifon/, 'griffon']],
  gundog: [[/retriever/, 'retriever'], [/pointer/, 'pointer'], [/braco|perdiguero/, 'braque'], [/grifon/, 'griffon'], [/montana/, 'mountain'], [/boyero/, 'mountain']],
  spaniel: [[/setter/, 'setter'], [/cocker/, 'cocker'], [/springer/, 'springer']],
  molosser: [[/mastin/, 'mastiff'], [/pastor|montana/, 'guardian']],
  shepherd: [[/lobo/, 'wolf'], [/collie/, 'collie'], [/belga|holandes/, 'belgian'], [/aleman/, 'alsatian']],
  spitz: [[/laika|cazador/, 'laika'], [/lapphund|laponia/, 'lapphund'], [/corgi/, 'corgi']],
  primitive: [[/podenco|maneto/, 'podenco'], [/sin-pelo/, 'xolo']],
}

/** The head type; the family's own shape where no pattern holds. */
export function headType(f: PortraitFacts, family: Family, coat: Coat): HeadType {
  const named = HEAD_BY_NAME[family]?.find(([pattern]) => pattern.test(f.slug))?.[1]
  if (named) return named
  if (family === 'gundog' && coat === 'wire') return 'griffon'
  if (family === 'molosser' && (coat === 'long' || coat === 'mane')) return 'bear'
  return family
}
