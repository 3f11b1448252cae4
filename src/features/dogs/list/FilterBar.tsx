import { LayoutGrid, Map as MapIcon } from 'lucide-react'
import { type MouseEvent, useEffect, useRef } from 'react'
import { ICON_PROPS } from '#ui/icon-props.ts'
import { SymbolIcon } from '#ui/SymbolIcon.tsx'
import { type Size, SIZES } from '../dogs.ts'
import {
  chosenCount,
  formatListQuery,
  type ListQuery,
  nextSort,
  SORT_BUTTONS,
  sortKey,
  type View,
} from './list-query.ts'

interface Props {
  query: ListQuery
  go: (change: Partial<ListQuery>) => void
  /** Of breed-options.ts; the same object at each render, since React writes those of another one anew. */
  breedOptions: { __html: string }
  /** On the map page: the views have visible names. */
  map?: boolean
  /** The community is too small to filter: only the views. */
  isSmall?: boolean
}

const VIEWS: { view: View; label: string; name: string; Icon: typeof MapIcon }[] = [
  { view: 'grid', label: 'Ver en cuadrícula', name: 'Cuadrícula', Icon: LayoutGrid },
  { view: 'map', label: 'Ver en mapa', name: 'Mapa', Icon: MapIcon },
]

/**
 * Filters, sort and view. A form and links: without script they load the page they lead to. Grid and map are separate
 * pages, so neither carries the other's code.
 */
export function FilterBar({ query, breedOptions, go, map = false, isSmall = false }: Props) {
  const link = (change: Partial<ListQuery>) => ({
    href: formatListQuery({ ...query, ...change }) || '?',
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      go(change)
    },
  })
  const chosen = chosenCount(query)
  const form = useRef<HTMLFormElement>(null)
  const apply = () => {
    const { breed, size } = form.current as unknown as Record<'breed' | 'size', HTMLSelectElement>
    go({ breed: breed.value || null, size: (size.value as Size) || null })
  }
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
            <summary className="btn">Filtros{chosen > 0 && ` ${chosen}`}</summary>
          </details>
          <div className="fold-body">
            <label className={`pill select${query.breed ? ' on' : ''}`}>
              <span className="sr">Razas</span>
              {/* oxlint-disable-next-line react/no-danger, jsx-a11y/control-has-associated-label -- of the catalogue (breed-options.ts); the label is around it */}
              <select name="breed" value={query.breed ?? ''} onChange={apply} dangerouslySetInnerHTML={breedOptions} />
              <SymbolIcon name="chevron" />
            </label>
            <label className={`pill select${query.size ? ' on' : ''}`}>
              <span className="sr">Tamaño</span>
              <select name="size" value={query.size ?? ''} onChange={apply}>
                <option value="">Tamaño</option>
                {SIZES.map((size) => (
                  <option key={size} value={size}>
                    {size[0]!.toUpperCase() + size.slice(1)}
                  </option>
                ))}
              </select>
              <SymbolIcon name="chevron" />
            </label>
            {query.sort !== 'recent' && <input type="hidden" name="sort" value={query.sort} />}
            {map && <input type="hidden" name="view" value="map" />}
            <noscript>
              <button className="btn">Filtrar</button>
            </noscript>
            <div className="sorts" role="group" aria-label="Ordenar">
              {SORT_BUTTONS.map(({ label, key }) => {
                const isActive = sortKey(query.sort) === key
                const isAscending = query.sort.endsWith('-asc')
                return (
                  <a
                    key={key}
                    className={`pill${isActive ? ' on' : ''}`}
                    aria-current={isActive ? 'true' : undefined}
                    {...link({ sort: nextSort(key, query.sort) })}
                  >
                    {label}
                    {isActive && key !== 'recent' && (
                      <>
                        <span aria-hidden>{isAscending ? '↑' : '↓'}</span>
                        <span className="sr">{isAscending ? ' de menor a mayor' : ' de mayor a menor'}</span>
                      </>
                    )}
                  </a>
                )
              })}
            </div>
          </div>
        </>
      )}
      <div className="seg views" role="group" aria-label="Vista">
        {VIEWS.map(({ view, label, name, Icon }) => (
          <a
            key={view}
            aria-label={label}
            aria-current={query.view === view ? 'true' : undefined}
            href={formatListQuery({ ...query, view }) || '?'}
          >
            <Icon {...ICON_PROPS} />
            {map && <span>{name}</span>}
          </a>
        ))}
      </div>
    </form>
  )
}
