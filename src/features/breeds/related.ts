import { type Breed, MIXED_BREED } from './breeds.ts'

/** Related breeds that a breed's page shows. */
export const MAX_RELATED = 6
/** Pairs less similar than this are never related. */
const MAX_DISSIMILARITY = 3

type ComparedFacts = Pick<
  Breed,
  | 'nombre_castellano'
  | 'fci_grupo'
  | 'fci_seccion'
  | 'peso_kg_min'
  | 'peso_kg_max'
  | 'altura_cm_min'
  | 'altura_cm_max'
  | 'proposito_original'
  | 'pais_origen'
>

const logMean = (low: number, high: number) => Math.log((low + high) / 2)

/**
 * How dissimilar two breeds are: by size first, then section, purpose and country. Infinite for different groups. Breeds outside
 * the FCI have no group: for them the purpose weighs more.
 */
export function dissimilarity(a: ComparedFacts, b: ComparedFacts): number {
  if (a.fci_grupo !== null && b.fci_grupo !== null && a.fci_grupo !== b.fci_grupo) return Infinity
  const weight = Math.abs(logMean(a.peso_kg_min, a.peso_kg_max) - logMean(b.peso_kg_min, b.peso_kg_max))
  const height = Math.abs(logMean(a.altura_cm_min, a.altura_cm_max) - logMean(b.altura_cm_min, b.altura_cm_max))
  const words = (text: string) => new Set(text.split(/[^\p{L}]+/u).filter((word) => word.length > 3))
  const [wordsA, wordsB] = [words(a.proposito_original), words(b.proposito_original)]
  const shared = [...wordsA].filter((word) => wordsB.has(word)).length / Math.max(1, Math.min(wordsA.size, wordsB.size))
  const haveGroups = a.fci_grupo !== null && b.fci_grupo !== null
  return (
    weight +
    height * 1.5 +
    (haveGroups ? 0 : 0.5) +
    (haveGroups && a.fci_seccion !== b.fci_seccion ? 0.45 : 0) +
    (1 - shared) * (haveGroups ? 0.3 : 0.9) +
    (a.pais_origen === b.pais_origen ? 0 : 0.2)
  )
}

/**
 * The related breeds of every breed, by index. The most similar pairs are linked first, as long as both have fewer than
 * MAX_RELATED, so that links are mutual. The mixed breed is left out.
 */
export function relatedIndexes(breeds: readonly ComparedFacts[]): number[][] {
  const nodes = breeds.map((breed, index) => ({ breed, index, links: [] as number[] }))
  const linkable = nodes.filter(({ breed }) => breed.nombre_castellano !== MIXED_BREED)
  const pairs = linkable
    .flatMap((a, i) => linkable.slice(i + 1).map((b) => ({ a, b, distance: dissimilarity(a.breed, b.breed) })))
    .filter(({ distance }) => distance < MAX_DISSIMILARITY)
    .sort((x, y) => x.distance - y.distance || x.a.index - y.a.index || x.b.index - y.b.index)
  for (const { a, b } of pairs)
    if (a.links.length < MAX_RELATED && b.links.length < MAX_RELATED) {
      a.links.push(b.index)
      b.links.push(a.index)
    }
  return nodes.map(({ links }) => links)
}
