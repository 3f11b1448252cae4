import { MIXED_BREED } from '#features/breeds/breeds.ts'
import type { BreedGuess } from '#features/detection/detection.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

/** The three states of the breed detection (docs/product.md §11.3); null without a detection. */
export type DetectionState =
  | { state: 'analysing' }
  | { state: 'detected'; breed: string; alternatives: BreedGuess[] }
  | { state: 'failed'; message: string }
  | null

/** The other breeds that the picker offers, best first. */
export const otherBreeds = (detection: DetectionState, names: readonly string[] | null): BreedGuess[] =>
  detection?.state === 'detected'
    ? detection.alternatives.filter(({ breed }) => breed !== detection.breed && isListed(breed, names ?? []))
    : []

/** Whether the breed picker offers the breed. */
export const isListed = (breed: string, names: readonly string[]): boolean =>
  breed === MIXED_BREED || names.includes(breed)

/**
 * Whether the person has chosen the breed, which the detection must not overwrite: the field has another breed than the one
 * that the detection chose (`own`, '' for none), or a mix is described.
 */
export const hasPersonChosen = ({ breed, mix }: Pick<FormValues, 'breed' | 'mix'>, own: string): boolean =>
  breed !== '' && (breed !== own || (breed === MIXED_BREED && mix.trim() !== ''))
