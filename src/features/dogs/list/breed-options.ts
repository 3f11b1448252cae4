import { escapeHtml } from '#lib/text/html.ts'

export interface BreedOption {
  slug: string
  name: string
}

/**
 * The options of the breed filter (FilterBar.tsx) as HTML. There are up to 381 of them, a third of the list's markup: as elements React renders
 * each on the server and hydrates each in the browser. The end tag of an option and quotes around a slug are left out, as HTML allows
 * (HTML, 13.1.2.4 and 13.1.2.3).
 * @param chosen the slug of the filter, selected where it is among the breeds; null selects the option for all
 */
export function breedOptionsHtml(breeds: readonly BreedOption[], chosen: string | null): string {
  const selected = ' selected=""'
  const options = breeds.map(
    ({ slug, name }) => `<option value=${slug}${slug === chosen ? selected : ''}>${escapeHtml(name)}`,
  )
  return `<option value=""${chosen === null ? selected : ''}>Razas${options.join('')}`
}
