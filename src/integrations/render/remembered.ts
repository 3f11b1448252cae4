import type { SSRResult } from 'astro'
import { createComponent, renderComponent, unescapeHTML } from 'astro/compiler-runtime'
import { ofItsOwn } from './count.ts'

interface Destination {
  write: (chunk: unknown) => void
}
interface Drawing {
  render: (destination: Destination) => Promise<void> | void
}
interface Props {
  /** The name; null draws as ever. */
  as: string | null
  part: (props: never) => unknown
  props?: object
}

/** Far more than there are parts and places in the navigation. */
const KEPT = 200
/** What parts wrote: HTML, and between it what Astro puts in once a page (scripts). */
const written = new Map<string, unknown[]>()

/** Astro's own signs (a script, a head that may be due) stay, since each page decides about them; the rest is HTML. */
function join(chunks: unknown[]): unknown[] {
  const parts: unknown[] = []
  let html = ''
  const flush = () => {
    if (html) parts.push(unescapeHTML(html))
    html = ''
  }
  for (const chunk of chunks)
    if (chunk !== null && typeof chunk === 'object' && 'type' in chunk) {
      flush()
      parts.push(chunk)
    } else html += String(chunk)
  flush()
  return parts
}

/**
 * Draws a component once and then writes the same again, with its scripts: for parts of the frame that are alike on many
 * pages. The name says everything that they show; nothing of one person may be in them.
 */
export default createComponent((result: SSRResult, { as, part, props = {} }: Props): any => {
  const draw = (page: SSRResult) => renderComponent(page, part.name, part, props)
  if (as === null || !import.meta.env.PROD) return draw(result)
  const known = written.get(as)
  if (known) return known
  return {
    async render(destination: Destination) {
      const chunks: unknown[] = []
      const drawing = (await draw(ofItsOwn(result, as))) as Drawing
      await drawing.render({ write: (chunk) => void chunks.push(chunk) })
      const parts = join(chunks)
      if (written.size < KEPT) written.set(as, parts)
      for (const each of parts) destination.write(each)
    },
  }
})
