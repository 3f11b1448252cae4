import type { SSRResult } from 'astro'

/** How many islands a page, or a part that is drawn by itself, has had, and what their names begin with. */
const counts = new WeakMap<SSRResult, { name: string; count: number }>()

/** A name for the next island, unlike any other of the page: React's ids (useId) begin with it. */
export function islandName(result: SSRResult): string {
  let own = counts.get(result)
  if (!own) counts.set(result, (own = { name: 'r', count: 0 }))
  return own.name + own.count++
}

/** The same page for a part whose islands are named after it, so that it may stand on any page. */
export function ofItsOwn(result: SSRResult, name: string): SSRResult {
  const part: SSRResult = Object.create(result)
  counts.set(part, { name, count: 0 })
  return part
}
