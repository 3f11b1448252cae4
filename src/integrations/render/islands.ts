import type { NamedSSRLoadedRendererValue, SSRResult } from 'astro'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'

/** Islands so far of each page. */
const counts = new WeakMap<SSRResult, number>()

/** A unique name for the page's next island: React's ids (useId) begin with it. */
function nextIslandName(page: SSRResult): string {
  const count = counts.get(page) ?? 0
  counts.set(page, count + 1)
  return `r${count}`
}

/** Preloads that React adds; the pages' heads have their own. */
const PRELOADS = /<link\s[^>]*rel="(?:preload|modulepreload|stylesheet|preconnect|dns-prefetch)"[^>]*>/g

/**
 * Renders React components on the server, once and synchronously. The renderer of @astrojs/react renders every component twice, first
 * to find out whether it is React's (here all are that are not Astro's), and reads each from a web stream
 * (docs/adr/0134-dependencies-as-they-are.md). It supports no children: no page passes any.
 */
const renderer: NamedSSRLoadedRendererValue = {
  name: 'perrario-react',
  check: async (component: unknown) =>
    typeof component === 'function' || (typeof component === 'object' && component !== null && '$$typeof' in component),
  async renderToStaticMarkup(
    this: { result: SSRResult },
    component: FunctionComponent,
    props: object,
    _slots,
    metadata,
  ) {
    const element = createElement(component, props)
    if (!metadata?.hydrate) return { html: renderToStaticMarkup(element).replace(PRELOADS, '') }
    const prefix = nextIslandName(this.result)
    return { html: renderToString(element, { identifierPrefix: prefix }).replace(PRELOADS, ''), attrs: { prefix } }
  },
  supportsAstroStaticSlot: true,
}

export default renderer
