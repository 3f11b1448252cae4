import { LayoutGrid, Map as MapIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { onPlainClick } from '#lib/plain-click.ts'
import { ICON_PROPS } from '#ui/icon-props.ts'
import { SymbolIcon } from '#ui/SymbolIcon.tsx'
import { filterOptions, type FilterOptions, SIZE_OPTIONS } from './filter-options.ts'
import { chosenCount, listHref, type ListQuery, nextSort, parseListQuery, SORT_BUTTONS, sortKey } from './list-query.ts'

interface Props {
  query: ListQuery
  go: (change: Partial<ListQuery>) => void
  breedOptions: FilterOptions
  /** On the map page: the views have visible names. */
  map?: boolean
  /** The community is too small to filter: only the views. */
  isSmall?: boolean
}

/** The props of a link to the list with `change`; at a plain click `go` shows it. */
export const filterLink = (query: ListQuery, change: Partial<ListQuery>, go: Props['go']) => ({
  href: listHref(query, change),
  onClick: onPlainClick(() => go(change)),
})

/**
 * Filters, sort and view. A form and links: without script they load the page they lead to. Grid and map are separate
 * pages, so neither carries the other's code.
 */
export function FilterBar({ query, breedOptions, go, map = false, isSmall = false }: Props) {
  const view = (key: ListQuery['view'], name: string, label: string, Icon: typeof MapIcon) => (
    <a aria-label={label} aria-current={query.view === key || undefined} href={listHref(query, { view: key })}>
      <Icon {...ICON_PROPS} />
      {map && <span>{name}</span>}
    </a>
  )
  const [sizeOptions] = useState(() => filterOptions('Tamaño', SIZE_OPTIONS, query.size))
  const choices = [
    { name: 'breed', label: 'Razas', options: breedOptions },
    { name: 'size', label: 'Tamaño', options: sizeOptions },
  ] as const
  const form = useRef<HTMLFormElement>(null)
  const apply = () => go(parseListQuery(new URLSearchParams(new FormData(form.current!) as never)))
  useEffect(() => {
    // What was chosen before this script had loaded raised no event here: another option than in the page's markup.
    if (form.current!.querySelector('option[selected]:not(:checked)')) apply()
    // oxlint-disable-next-line react/exhaustive-deps -- once, as the page came
  }, [])
  return (
    // Values that a browser restores by itself would be taken for choices.
    <form ref={form} className="filters" method="get" role="search" aria-label="Filtrar perros" autoComplete="off">
      {!isSmall && (
        <>
          {/* Phones fold the rest behind it, without script as well. */}
          <details className="fold">
            <summary className="btn">{`Filtros ${chosenCount(query) || ''}`.trimEnd()}</summary>
          </details>
          <div className="fold-body">
            {choices.map(({ name, label, options }) => (
              <label key={name} className={`pill select${query[name] ? ' on' : ''}`}>
                <span className="sr">{label}</span>
                {/* oxlint-disable-next-line react/no-danger, jsx-a11y/control-has-associated-label -- of filter-options.ts; the label is around it */}
                <select name={name} value={query[name] ?? ''} onChange={apply} dangerouslySetInnerHTML={options} />
                <SymbolIcon name="chevron" />
              </label>
            ))}
            {query.sort !== 'recent' && <input type="hidden" name="sort" value={query.sort} />}
            {map && <input type="hidden" name="view" value="map" />}
            <noscript>
              <button className="btn">Filtrar</button>
            </noscript>
            <div className="sorts" role="group" aria-label="Ordenar">
              {SORT_BUTTONS.map(({ label, key }) => {
                const isActive = sortKey(query.sort) === key
                return (
                  <a
                    key={key}
                    className={`pill${isActive ? ' on' : ''}`}
                    aria-current={isActive || undefined}
                    {...filterLink(query, { sort: nextSort(key, query.sort) }, go)}
                  >
                    {label}
                    {isActive && key !== 'recent' && <SortDirection isAscending={query.sort.endsWith('-asc')} />}
                  </a>
                )
              })}
            </div>
          </div>
        </>
      )}
      <div className="seg views" role="group" aria-label="Vista">
        {view('grid', 'Cuadrícula', 'Ver en cuadrícula', LayoutGrid)}
        {view('map', 'Mapa', 'Ver en mapa', MapIcon)}
      </div>
    </form>
  )
}

const SortDirection = ({ isAscending }: { isAscending: boolean }) => (
  <>
    <span aria-hidden>{isAscending ? '↑' : '↓'}</span>
    <span className="sr">{isAscending ? ' de menor a mayor' : ' de mayor a menor'}</span>
  </>
)
