import { LoaderCircle } from 'lucide-react'
import { DogCard } from '#features/dogs/card/DogCard.tsx'
import { cardLoading } from './card-loading.ts'
import { FilterBar } from './FilterBar.tsx'
import { chosenCount, formatListQuery, isFiltered, MIN_DOGS_TO_FILTER, NO_MATCH } from './list-query.ts'
import { statRows } from './stats.ts'
import { StatStrip } from './StatStrip.tsx'
import { type IslandProps, useDogList } from './useDogList.tsx'

const dogsText = (count: number, suffix: string) => `${count} ${count === 1 ? 'perro' : 'perros'}${suffix}`

/** «24 perros en la lista», «6 perros más: 30 en la lista». */
const countText = (count: number, added?: number) =>
  added === undefined ? dogsText(count, ' en la lista') : `${dogsText(added, ' más')}: ${count} en la lista`

/**
 * The list of dogs (island): filters, statistics, cards and «Ver más». The server renders its first page, and the browser reads dogs, breeds and the viewer's likes from that markup.
 */
export function DogGrid(props: IslandProps) {
  const list = useDogList(props)
  const { query, dogs, stats, state, nextCursor, breeds, breedOptions, liked } = list
  const breedName = query.breed ? (breeds.find(({ slug }) => slug === query.breed)?.name ?? query.breed) : null
  return (
    <>
      <FilterBar
        query={query}
        breedOptions={breedOptions}
        go={list.go}
        isSmall={
          breedOptions.__html === '' || (stats !== null && stats.total < MIN_DOGS_TO_FILTER && chosenCount(query) === 0)
        }
      />
      {stats && <StatStrip stats={stats} rows={statRows(query, stats, breedName)} />}
      <p className="sr" role="status">
        {state === 'loading' ? 'Cargando perros…' : state === 'loaded' && countText(dogs.length, list.added?.count)}
      </p>
      {state === 'error' ? (
        <div className="panel empty" role="alert">
          <p>{list.error}</p>
          <button type="button" className="btn" onClick={list.retry}>
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
            <a
              className="btn"
              href={formatListQuery({ ...query, breed: null, size: null }) || '?'}
              onClick={(event) => {
                event.preventDefault()
                list.go({ breed: null, size: null })
              }}
            >
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
          <a
            href={formatListQuery(query) || '?'}
            onClick={(event) => {
              event.preventDefault()
              list.retry()
              scrollTo({ top: 0 })
            }}
          >
            Empezar de nuevo
          </a>
        </p>
      )}
      {nextCursor && state !== 'error' && (
        <a
          className="btn more"
          href={formatListQuery(query, nextCursor)}
          aria-busy={list.isLoadingMore}
          onClick={(event) => {
            event.preventDefault()
            void list.loadMore()
          }}
        >
          {list.isLoadingMore && <LoaderCircle className="ic spin" aria-hidden />}
          {list.isLoadingMore ? 'Cargando…' : 'Ver más'}
        </a>
      )}
    </>
  )
}
