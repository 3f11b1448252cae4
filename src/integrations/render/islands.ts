import type { NamedSSRLoadedRendererValue, SSRResult } from 'astro'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { islandName } from './count.ts'

/** React asks for what it shows first; the pages' own heads say what is fetched ahead. */
const PRELOADS = /<link\s[^>]*rel="(?:preload|modulepreload|stylesheet|preconnect|dns-prefetch)"[^>]*>/g

/**
 * Renders React for the server, once and synchronously. The renderer of @astrojs/react renders every component twice, first to
 * learn whether it is React's (here everything is that is not Astro's), and reads each from a web stream
 * (docs/adr/0134-dependencies-as-they-are.md). It takes no children: no component here gets any from a page.
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
    const prefix = islandName(this.result)
    return { html: renderToString(element, { identifierPrefix: prefix }).replace(PRELOADS, ''), attrs: { prefix } }
  },
  supportsAstroStaticSlot: true,
}

export default renderer
