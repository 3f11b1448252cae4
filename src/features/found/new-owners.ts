/**
 * Cuts a list to its best, so that accounts opened for it do not take all places: those of new members have `ofNew`, and more only where
 * others leave them free.
 * @param items the best first
 * @returns at most `max` of them in their order
 */
export function limitNewOwners<T extends { isOwnerNew: boolean }>(
  items: readonly T[],
  { max, ofNew }: { max: number; ofNew: number },
): T[] {
  const countOfNew = items.filter(({ isOwnerNew }) => isOwnerNew).length
  const countOfOthers = items.length - countOfNew
  let placesOfNew = Math.min(countOfNew, Math.max(ofNew, max - countOfOthers))
  let placesOfOthers = max - placesOfNew
  return items.filter(({ isOwnerNew }) => (isOwnerNew ? placesOfNew-- > 0 : placesOfOthers-- > 0))
}
