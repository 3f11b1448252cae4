import { capitalise } from '#lib/text/capitalise.ts'
import { escapeHtml } from '#lib/text/html.ts'
import { SIZES } from '../dogs.ts'

export interface FilterOption {
  slug: string
  name: string
}

/** Options of a filter, for `dangerouslySetInnerHTML`. */
export interface FilterOptions {
  __html: string
}

export const SIZE_OPTIONS: readonly FilterOption[] = SIZES.map((size) => ({ slug: size, name: capitalise(size) }))

/**
 * The options of a filter (FilterBar.tsx) as HTML. There are up to 381 breeds, a third of the list's markup: as elements React renders
 * each on the server and hydrates each in the browser. The end tag of an option and quotes around a slug are left out, as HTML allows
 * (HTML, 13.1.2.4 and 13.1.2.3).
 * @param label the option for all
 * @param chosen the slug of the filter, selected where it is among the options; null selects the option for all
 */
export function filterOptions(label: string, options: readonly FilterOption[], chosen: string | null): FilterOptions {
  const selected = ' selected=""'
  const rest = options.map(
    ({ slug, name }) => `<option value=${slug}${slug === chosen ? selected : ''}>${escapeHtml(name)}`,
  )
  return { __html: `<option value=""${chosen === null ? selected : ''}>${label}${rest.join('')}` }
}
