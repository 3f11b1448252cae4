import { MIXED_BREED } from '#features/breeds/breeds.ts'
import type { SaveOutcome } from '#features/dogs/form/save/save-outcome.ts'
import { saveEdits, type SendablePhoto } from '#features/dogs/form/save/save-dog.client.ts'
import { fetchCurrentBreedNames } from '#features/dogs/form/form-api.client.ts'
import { changedValues, toFormValues } from '#features/dogs/form/form-values.ts'
import type { QueuedDog } from './queue.ts'

/**
 * Applies later edits to a dog that an earlier send created and whose response got lost. A visitor's dog cannot be edited
 * before it is claimed.
 * @returns true when the saved dog lacks the last edits
 */
export async function bringUpToDate(
  { isUncertain, member, values, hasOtherPhotos }: QueuedDog,
  photos: readonly SendablePhoto[],
  outcome: Extract<SaveOutcome, { kind: 'saved' }>,
): Promise<boolean> {
  if (!isUncertain) return false
  const names = await fetchCurrentBreedNames()
  const before = toFormValues(outcome.dog, member, (name) => names.includes(name) || name === MIXED_BREED)
  const { relationship: _, ...changes } = changedValues(values, before)
  if (Object.keys(changes).length === 0 && !hasOtherPhotos) return false
  if (member === null) return true
  const edited = await saveEdits(outcome.dog.id, { values, before }, { photos, isChanged: hasOtherPhotos }, () => {})
  if (edited.kind === 'saved') outcome.dog = edited.dog
  return edited.kind !== 'saved'
}
