import { type RefObject, useRef, useState } from 'react'
import { type FilterOption, filterOptions } from '#features/dogs/list/filter-options.ts'
import { FilterBar } from '#features/dogs/list/FilterBar.tsx'
import { isFiltered, listHref, NO_MATCH } from '#features/dogs/list/list-query.ts'
import { statRows } from '#features/dogs/list/stats.ts'
import { StatStrip } from '#features/dogs/list/StatStrip.tsx'
import { formatCount } from '#lib/numbers.ts'
import { AddressBox } from './search/AddressBox.tsx'
import { MapStrip } from './strip/MapStrip.tsx'
import { DogPopup } from './view/DogPopup.tsx'
import { MapNotes } from './view/MapNotes.tsx'
import { MapTools } from './view/MapTools.tsx'
import { visibleWords, VIEW_TEXTS } from './view/texts.ts'
import { type MapStart, useDogMap } from './view/useDogMap.client.ts'

interface Props extends MapStart {
  breeds: FilterOption[]
}

const HELP_TEXT =
  'Muévete con las flechas y cambia el zoom con más y menos. Con el tabulador llegas a cada grupo y a cada perro.'

/** The transition of the strip's height: a growing strip covers the map until it ends. */
const STRIP_TRANSITION_MS = 300

/** Reserves the strip's height below the map. */
function useStripHeight(box: RefObject<HTMLElement | null>) {
  const height = useRef(0)
  const timer = useRef(0)
  return (px: number) => {
    const reserve = () => box.current?.parentElement?.style.setProperty('--strip', `${px}px`)
    clearTimeout(timer.current)
    if (height.current === 0 || px < height.current) reserve()
    else timer.current = window.setTimeout(reserve, STRIP_TRANSITION_MS)
    height.current = px
  }
}

/** The map of dogs (island): filters, the map with its controls, and the strip of the dogs in view. */
export function DogMap({ breeds, ...start }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const map = useDogMap(box, start)
  const { query, stats, state, count, engine } = map
  const [breedOptions] = useState(() => filterOptions('Razas', breeds, query.breed))
  const breedName = query.breed ? (breeds.find((b) => b.slug === query.breed)?.name ?? query.breed) : null
  const onHeight = useStripHeight(box)
  return (
    <div className="map-screen">
      <div className="row wrap map-head">
        <FilterBar query={query} breedOptions={breedOptions} go={map.filter} map />
        {stats && <StatStrip stats={stats} rows={statRows(query, stats, breedName, count?.visible ?? null)} />}
      </div>
      <div className="map-frame" data-state={state} data-busy={map.isBusy}>
        <div className="row wrap map-over">
          <AddressBox onPlace={map.search} hasPopup={map.popup !== null} />
          <p className="row map-count" role="status">
            {count ? (
              <>
                <span className="num">{formatCount(count.visible)}</span> {visibleWords(count.visible)}
              </>
            ) : (
              'Cargando mapa…'
            )}
          </p>
          <MapNotes error={map.error} onRetry={map.retry} note={map.note} onClose={map.closeNote} />
        </div>
        <MapTools isReady={state === 'ready'} onZoom={map.zoom} onLocate={map.locate} />
        <p id="map-help" className="sr">
          {HELP_TEXT}
        </p>
        {/* keyboard.client.ts makes it a tab stop and handles its keys. */}
        <div ref={box} className="map-box" role="region" aria-label="Mapa de perros" aria-describedby="map-help" />
        {map.popup && engine && <DogPopup dog={map.popup} engine={engine} onClose={map.closePopup} />}
        <MapStrip
          area={map.area}
          filters={query}
          visible={map.visible}
          isList={map.isList}
          onCloseList={map.closeList}
          selected={map.selected}
          selectedAt={map.selectedAt}
          onSelect={map.select}
          onHeight={onHeight}
        />
        {state === 'failed' && (
          <div className="mid row wrap panel map-panel" role="alert">
            <p>{VIEW_TEXTS.lost}</p>
            {/* Browsers cache a failed module import until the page is reloaded. */}
            <button type="button" className="btn" onClick={() => location.reload()}>
              Reintentar
            </button>
            <a className="btn" href={listHref(query, { view: 'grid' })}>
              Ver en cuadrícula
            </a>
          </div>
        )}
        {map.isEmpty && (
          <div className="mid row wrap panel map-panel">
            <p>{isFiltered(query) ? NO_MATCH : 'No hay perros registrados aún.'}</p>
            {query.breed || query.size ? (
              <button type="button" className="btn" onClick={() => map.filter({ breed: null, size: null })}>
                Quitar filtros
              </button>
            ) : (
              <a className="btn pri" href="/login" data-add-dog>
                Añadir perro
              </a>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
