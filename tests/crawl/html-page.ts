/** What a crawler reads of a page of HTML. */
import { HtmlValidate, type Message, StaticConfigLoader } from 'html-validate'
import { Parser } from 'htmlparser2'

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

/** The addresses of a srcset; ours have commas in them, and a comma between two is followed by a space. */
const parseSrcset = (set: string) => set.split(/,\s+/).flatMap((part) => part.trim().split(/\s+/)[0] || [])

const LINK_RELATIONS = ['stylesheet', 'icon', 'apple-touch-icon', 'preload', 'modulepreload', 'manifest']
const WITH_SOURCE = ['img', 'script', 'source', 'video', 'iframe']

/** Adds what a tag says to `page`. */
function readTag(page: HtmlPage, name: string, attributes: Readonly<Record<string, string>>): void {
  const { id, href, src, srcset, rel, content = '' } = attributes
  if (id !== undefined) page.ids.add(id)
  if (name === 'h1') page.headings++
  if (href !== undefined) {
    if (name === 'a' || name === 'area' || (name === 'link' && rel === 'alternate')) page.links.push(href)
    if (name === 'link' && rel === 'canonical') page.canonical ||= href
    if (name === 'link' && LINK_RELATIONS.includes(rel ?? '')) page.resources.push(href)
  }
  if (src !== undefined && WITH_SOURCE.includes(name)) page.resources.push(src)
  if (srcset !== undefined && (name === 'img' || name === 'source')) page.resources.push(...parseSrcset(srcset))
  if (name !== 'meta') return
  if (attributes.name === 'description') page.description ||= content
  if (attributes.name === 'robots' && content.includes('noindex')) page.isNoindex = true
  if (attributes.property === 'og:image') page.resources.push(content)
}

/** Reads a page as it streams by: html-validate's own tree takes ten times as long. Addresses come in their order on the page. */
export function readPage(html: string): HtmlPage {
  const page: HtmlPage = {
    title: '',
    description: '',
    canonical: '',
    isNoindex: false,
    headings: 0,
    links: [],
    resources: [],
    ids: new Set(),
    jsonLd: [],
  }
  let takeText: ((text: string) => void) | undefined
  const parser = new Parser({
    onopentag(name, attributes) {
      readTag(page, name, attributes)
      // A drawing has titles, too.
      if (name === 'title' && page.title === '') takeText = (text) => void (page.title += text)
      if (name === 'script' && attributes.type === 'application/ld+json') {
        const index = page.jsonLd.push('') - 1
        takeText = (text) => void (page.jsonLd[index] += text)
      }
    },
    ontext: (text) => takeText?.(text),
    onclosetag: (name) => {
      if (name === 'title' || name === 'script') takeText = undefined
    },
  })
  parser.end(html)
  page.title = page.title.trim()
  return page
}

/** What the HTML standard finds wrong, as «rule: what, line:column». */
export async function validateHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  const line = ({ ruleId, message, line, column }: Message) => `${ruleId}: ${message}, ${line}:${column}`
  return results.flatMap(({ messages }) => messages.map(line))
}
