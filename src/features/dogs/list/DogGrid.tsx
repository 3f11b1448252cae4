import { LoaderCircle } from 'lucide-react'
import { DogCard } from '#features/dogs/card/DogCard.tsx'
import { onPlainClick } from '#lib/plain-click.ts'
import { cardLoading } from './card-loading.ts'
import { FilterBar, filterLink } from './FilterBar.tsx'
import { chosenCount, formatListQuery, isFiltered, listHref, MIN_DOGS_TO_FILTER, NO_MATCH } from './list-query.ts'
import { statRows } from './stats.ts'
import { StatStrip } from './StatStrip.tsx'
import { type IslandProps, useDogList } from './useDogList.client.ts'

const dogsText = (count: number, suffix: string) => `${count} ${count === 1 ? 'perro' : 'perros'}${suffix}`

/** «24 perros en la lista», «6 perros más: 30 en la lista». */
const countText = (count: number, added?: number) =>
  added === undefined ? dogsText(count, ' en la lista') : `${dogsText(added, ' más')}: ${count} en la lista`

/**
 * The list of dogs (island): filters, statistics, cards and «Ver más». The server renders its first page, and the browser reads dogs, breeds and the viewer's likes from that markup.
 */
export function DogGrid(props: IslandProps) {
  const { query, dogs, stats, state, nextCursor, breeds, breedOptions, liked, load, ...list } = useDogList(props)
  const breedName = query.breed ? (breeds.find(({ slug }) => slug === query.breed)?.name ?? query.breed) : null
  const isSmall = stats !== null && stats.total < MIN_DOGS_TO_FILTER && chosenCount(query) === 0
  return (
    <>
      <FilterBar query={query} breedOptions={breedOptions} go={list.go} isSmall={isSmall || !breedOptions.__html} />
      {stats && <StatStrip stats={stats} rows={statRows(query, stats, breedName)} />}
      <p className="sr" role="status">
        {state === 'loading' ? 'Cargando perros…' : state !== 'error' && countText(dogs.length, list.added?.count)}
      </p>
      {state === 'error' ? (
        <div className="panel empty" role="alert">
          <p>{list.error}</p>
          <button
            type="button"
            className="btn"
            onClick={() => (breeds.length > 0 ? void load(query) : location.reload())}
          >
            Reintentar
          </button>
        </div>
      ) : dogs.length === 0 && state === 'loaded' ? (
        <div className="panel empty">
          <p>{isFiltered(query) ? NO_MATCH : 'No hay perros registrados aún.'}</p>
          <a className="btn pri" href="/login" data-add-dog>
            Añadir perro
          </a>
          {isFiltered(query) && (
            <a className="btn" {...filterLink(query, { breed: null, size: null }, list.go)}>
              Quitar filtros
            </a>
          )}
        </div>
      ) : (
        <>
          <h2 className="sr">Lista de perros</h2>
          <ul className="dogs" aria-busy={state === 'loading'}>
            {dogs.map((dog, index) => (
              <li key={dog.id}>
                <DogCard dog={dog} {...cardLoading(index)} liked={liked.includes(dog.id)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {list.isReordered && (
        <p className="reordered" role="status">
          El orden ha cambiado.{' '}
          <a href={listHref(query)} onClick={onPlainClick(() => void load(query).then(() => scrollTo({ top: 0 })))}>
            Empezar de nuevo
          </a>
        </p>
      )}
      {nextCursor && (
        <a
          className="btn more"
          href={formatListQuery(query, nextCursor)}
          aria-busy={state === 'more'}
          onClick={onPlainClick(() => void load(query, nextCursor))}
        >
          {state === 'more' && <LoaderCircle className="ic spin" aria-hidden />}
          {state === 'more' ? 'Cargando…' : 'Ver más'}
        </a>
      )}
    </>
  )
}
