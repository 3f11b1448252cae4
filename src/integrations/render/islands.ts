import type { NamedSSRLoadedRendererValue, SSRResult } from 'astro'
import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import { islandName } from './count.ts'

/** React asks for what it shows first; the pages' own heads say what is fetched ahead. */
const PRELOADS = /<link\s[^>]*rel="(?:preload|modulepreload|stylesheet|preconnect|dns-prefetch)"[^>]*>/g

/**
 * Draws islands for the server, like the renderer of @astrojs/react but at once: that one draws every component twice,
 * first to learn whether it is React's (here everything is that is not Astro's), and reads each from a web stream.
 * Children are not taken: no island of ours has any.
 */
const renderer: NamedSSRLoadedRendererValue = {
  name: '@astrojs/react',
  check: async (component: unknown) =>
    typeof component === 'function' || (typeof component === 'object' && component !== null && '$$typeof' in component),
  async renderToStaticMarkup(this: { result: SSRResult }, component: FunctionComponent, props: object) {
    const prefix = islandName(this.result)
    const html = renderToString(createElement(component, props), { identifierPrefix: prefix })
    return { html: html.replace(PRELOADS, ''), attrs: { prefix } }
  },
  supportsAstroStaticSlot: true,
}

export default renderer
