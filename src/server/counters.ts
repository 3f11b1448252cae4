/** Counts of what happened, by name and by one label that takes few values: the figures of /metrics that no other part keeps. */
const counters = new Map<CounterName, Map<string, number>>()

/** One more. `label` is never anything a person typed. */
export function incrementCounter(name: CounterName, label: string): void {
  let counts = counters.get(name)
  if (!counts) counters.set(name, (counts = new Map()))
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

export type CounterName = 'refused' | 'detections' | 'connections dropped'

export const readCounter = (name: CounterName): ReadonlyMap<string, number> => counters.get(name) ?? new Map()
