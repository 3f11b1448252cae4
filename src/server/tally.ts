/** Counts of what happened, by name and by one label that takes few values: the figures of /metrics that no other part keeps. */
const tallies = new Map<Tallied, Map<string, number>>()

/** One more. `label` is never anything a person typed. */
export function tally(name: Tallied, label: string): void {
  let counts = tallies.get(name)
  if (!counts) tallies.set(name, (counts = new Map()))
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

export type Tallied = 'refused' | 'detections' | 'connections dropped'

export const tallyOf = (name: Tallied): ReadonlyMap<string, number> => tallies.get(name) ?? new Map()
