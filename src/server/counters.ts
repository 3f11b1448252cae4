/** Event counts by name and one label with few values: the counters of /metrics that no other module has. */
const counters = new Map<CounterName, Map<string, number>>()

/** Adds one. `label` is a constant, never anything a person typed. */
export function incrementCounter(name: CounterName, label: string): void {
  let counts = counters.get(name)
  if (!counts) counters.set(name, (counts = new Map()))
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

export type CounterName = 'refused' | 'detections' | 'connections dropped' | 'mails'

export const readCounter = (name: CounterName): ReadonlyMap<string, number> => counters.get(name) ?? new Map()
