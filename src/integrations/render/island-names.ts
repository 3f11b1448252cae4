import type { SSRResult } from 'astro'

/** Islands so far of a page, or of a part that is rendered by itself, and the prefix of their names. */
const counters = new WeakMap<SSRResult, { prefix: string; count: number }>()

/** A unique name for the page's next island: React's ids (useId) begin with it. */
export function nextIslandName(result: SSRResult): string {
  let counter = counters.get(result)
  if (!counter) counters.set(result, (counter = { prefix: 'r', count: 0 }))
  return counter.prefix + counter.count++
}

/** The same page for a part whose islands are named by `prefix`, so that its HTML is valid on every page. */
export function withIslandPrefix(result: SSRResult, prefix: string): SSRResult {
  const part: SSRResult = Object.create(result)
  counters.set(part, { prefix, count: 0 })
  return part
}
