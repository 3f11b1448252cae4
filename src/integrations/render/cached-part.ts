import type { SSRResult } from 'astro'
import { createComponent, renderComponent, unescapeHTML } from 'astro/compiler-runtime'
import { withIslandPrefix } from './island-names.ts'

interface Destination {
  write: (chunk: unknown) => void
}
interface Rendering {
  render: (destination: Destination) => Promise<void> | void
}
interface Props {
  /** Identifies everything that the part shows; null renders it without the cache. */
  cacheKey: string | null
  part: (props: never) => unknown
  props?: object
}

/** Far more than there are parts and navigation states. */
const MAX_CACHED_PARTS = 200
/** Rendered parts: HTML, and between it the instructions that Astro executes once a page (scripts). */
const cachedParts = new Map<string, unknown[]>()

/** Joins adjacent HTML. Astro's render instructions (a script, a pending head) stay apart, since each page executes them. */
function joinHtml(chunks: unknown[]): unknown[] {
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
 * Renders a component once and then repeats its HTML and scripts: for parts of the frame that are the same on many pages. The key must
 * identify everything that they show; they must contain nothing of a single member.
 */
function renderCached(result: SSRResult, { cacheKey, part, props = {} }: Props): unknown {
  const renderPart = (page: SSRResult) => renderComponent(page, part.name, part, props)
  if (cacheKey === null || !import.meta.env.PROD) return renderPart(result)
  const cached = cachedParts.get(cacheKey)
  if (cached) return cached
  return {
    async render(destination: Destination) {
      const chunks: unknown[] = []
      const rendering = (await renderPart(withIslandPrefix(result, cacheKey))) as Rendering
      await rendering.render({ write: (chunk) => void chunks.push(chunk) })
      const parts = joinHtml(chunks)
      if (cachedParts.size < MAX_CACHED_PARTS) cachedParts.set(cacheKey, parts)
      for (const part of parts) destination.write(part)
    },
  }
}

// Astro renders arrays too, which its type of a component leaves out.
export default createComponent(renderCached as Parameters<typeof createComponent>[0])
