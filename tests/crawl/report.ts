/** What a search engine would hold against a site, from a walk through it. */
import { validateHtml } from './html-page.ts'
import { jsonLdFaults } from './json-ld.ts'
import type { Visit, Walk } from './walk.ts'

export interface Report {
  /** How many of everything, for who reads. */
  figures: Record<string, number>
  /** What is wrong, by kind; kinds without a fault have an empty list. */
  faults: Record<string, string[]>
}

/** Values that several share, as «value: address, address…». */
function findDuplicates(visits: Visit[], of: (visit: Visit) => string): string[] {
  const by = new Map<string, string[]>()
  for (const visit of visits) by.set(of(visit), [...(by.get(of(visit)) ?? []), visit.address])
  return [...by].filter(([, all]) => all.length > 1).map(([value, all]) => `${value}: ${all.slice(0, 4).join(', ')}`)
}

export interface ReportOptions {
  /** Addresses that must be reached by links, such as all public dogs. */
  expected: string[]
  /** Addresses that the sitemap names; empty without one. */
  listed: string[]
  /** Of so many pages of a template the HTML is validated, which costs most of the time. */
  perTemplate?: number
}

/** Pages that one template made, as far as their address tells: `/razas/` + one part, `/` + one part `?tab`. */
function templateOf(address: string, origin: string): string {
  const { pathname, searchParams } = new URL(address, origin)
  const parts = pathname.split('/').slice(1)
  const [first] = parts.length > 1 && !['razas', 'usuario', 'perro'].includes(parts[0]!) ? ['*'] : parts
  return `${first}/${parts.length}?${[...searchParams.keys()].toSorted().join()}`
}

export async function buildReport(
  origin: string,
  { visits, resources, externalLinks, missingAnchors }: Walk,
  { expected, listed, perTemplate = Infinity }: ReportOptions,
): Promise<Report> {
  const all = [...visits.values()]
  const pages = all.filter(({ page, status, hops }) => page && status === 200 && hops.length === 0)
  const canonicalOf = ({ address, page }: Visit) => {
    if (!page?.canonical) return address
    const { pathname, search } = new URL(page.canonical, origin)
    return pathname + search
  }
  // What search engines keep: pages that are their own canonical address.
  const kept = pages.filter((visit) => !visit.page!.isNoindex && canonicalOf(visit) === visit.address)
  const canonicals = new Set(pages.map(canonicalOf))
  const isGood = (address: string) => {
    const visit = visits.get(address)
    return visit !== undefined && visit.status === 200 && visit.hops.length === 0
  }
  const html: string[] = []
  const ld: string[] = []
  // Pages of one template share their faults: each is named once, with the first page that has it.
  const seen = new Set<string>()
  const validated = new Map<string, number>()
  for (const visit of pages) {
    const template = templateOf(visit.address, origin)
    const before = validated.get(template) ?? 0
    validated.set(template, before + 1)
    for (const fault of before < perTemplate ? await validateHtml(visit.html) : []) {
      const kind = fault.replace(/, \d+:\d+$/, '').replaceAll(/"[^"]*"/g, '""')
      if (!seen.has(kind)) html.push(`${visit.address}: ${fault}`)
      seen.add(kind)
    }
    for (const text of visit.page!.jsonLd)
      for (const fault of jsonLdFaults(text, origin)) ld.push(`${visit.address}: ${fault}`)
  }
  const redirects = all.filter(({ hops }) => hops.length > 0)
  const times = pages.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return {
    figures: {
      'addresses visited': all.length,
      'pages of HTML': pages.length,
      'pages search engines keep': kept.length,
      'files they show': resources.size,
      'links to other sites': externalLinks.size,
      'links that redirect, one hop': redirects.filter(({ hops }) => hops.length === 1).length,
      'JSON-LD blocks': pages.reduce((sum, { page }) => sum + page!.jsonLd.length, 0),
      'addresses in the sitemap': listed.length,
      'median ms a page': Math.round(times[times.length >> 1] ?? 0),
    },
    faults: {
      'broken links': all.filter(({ status }) => status >= 400 || status === 0).map(formatVisit),
      'broken files': [...resources]
        .filter(([, { status }]) => status !== 200)
        .map(([address, { status, from }]) => `${status} ${address} (from ${from})`),
      'lost places in a page': missingAnchors,
      'redirect chains': redirects
        .filter(({ hops }) => hops.length > 1)
        .map(({ address, hops }) => [address, ...hops].join(' → ')),
      orphans: expected.filter((address) => !isGood(address)),
      'duplicate titles': findDuplicates(kept, ({ page }) => page!.title),
      'duplicate descriptions': findDuplicates(kept, ({ page }) => page!.description),
      'without title, description or one heading': kept
        .filter(({ page }) => !page!.title || !page!.description || page!.headings !== 1)
        .map(({ address, page }) => `${address} («${page!.title}», ${page!.headings} h1)`),
      'canonical address that is none': [...canonicals].filter((address) => !isGood(address)),
      'sitemap: not a page to keep': listed.filter((address) => !kept.some((visit) => visit.address === address)),
      'sitemap: missing': listed.length
        ? kept.flatMap(({ address }) => (listed.includes(address) ? [] : [address]))
        : [],
      'invalid HTML': html,
      'invalid JSON-LD': ld,
    },
  }
}

const formatVisit = ({ status, address, from }: Visit) => `${status} ${address} (from ${from})`
