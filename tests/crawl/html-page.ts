/** What a crawler reads of a page of HTML. */
import { Config, HtmlValidate, type Message, Parser, StaticConfigLoader } from 'html-validate'

export interface HtmlPage {
  title: string
  description: string
  /** Of `<link rel=canonical>`; empty without one. */
  canonical: string
  /** Search engines are told to leave it out. */
  isNoindex: boolean
  headings: number
  /** Where its plain links lead, as written. */
  links: string[]
  /** Everything a browser fetches to show it: photos, styles, scripts, icons. */
  resources: string[]
  ids: Set<string>
  jsonLd: string[]
}

/** What the HTML standard asks, without matters of style; our pages are written by Astro, which leaves out closing slashes. */
const validator = new HtmlValidate(new StaticConfigLoader({ root: true, extends: ['html-validate:standard'] }))

const parser = new Parser(await (await Config.fromObject([], { root: true })).resolve())

const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decodeEntities = (text: string) =>
  text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    name ? (NAMED_ENTITIES[name] ?? whole) : String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex, 16)),
  )

/** The addresses of a srcset; ours have commas in them, and a comma between two is followed by a space. */
const parseSrcset = (set: string) => set.split(/,\s+/).flatMap((part) => part.trim().split(/\s+/)[0] || [])

const LINK_RELATIONS = ['stylesheet', 'icon', 'apple-touch-icon', 'preload', 'modulepreload', 'manifest']

/** @throws Error for what is no HTML at all */
export function readPage(html: string): HtmlPage {
  const page = parser.parseHtml(html)
  const all = (selector: string, attribute: string) =>
    page.querySelectorAll(selector).flatMap((element) => {
      const value = element.getAttributeValue(attribute)
      return value === null ? [] : [decodeEntities(value)]
    })
  const one = (selector: string, attribute: string) => all(selector, attribute)[0] ?? ''
  return {
    title: decodeEntities(page.querySelector('title')?.textContent ?? '').trim(),
    description: one('meta[name="description"]', 'content'),
    canonical: one('link[rel="canonical"]', 'href'),
    isNoindex: /noindex/.test(one('meta[name="robots"]', 'content')),
    headings: page.querySelectorAll('h1').length,
    links: [...all('a[href]', 'href'), ...all('area[href]', 'href'), ...all('link[rel="alternate"]', 'href')],
    resources: [
      ...all('img[src], script[src], source[src], video[src], iframe[src]', 'src'),
      ...all('img[srcset], source[srcset]', 'srcset').flatMap(parseSrcset),
      ...LINK_RELATIONS.flatMap((kind) => all(`link[rel="${kind}"]`, 'href')),
      ...all('meta[property="og:image"]', 'content'),
    ],
    ids: new Set(all('[id]', 'id')),
    jsonLd: page.querySelectorAll('script[type="application/ld+json"]').map((script) => script.textContent),
  }
}

/** What the HTML standard finds wrong, as «rule: what, line:column». */
export async function validateHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  const line = ({ ruleId, message, line, column }: Message) => `${ruleId}: ${message}, ${line}:${column}`
  return results.flatMap(({ messages }) => messages.map(line))
}
