import { discardStaleCounts } from '#features/likes/likes.store.ts'
import { paths } from '#lib/paths.ts'
import type { DogPage } from '../dogs.ts'
import { formatListQuery, type ListQuery, LOAD_FAILED } from './list-query.ts'

/** A failed load, with the texts of docs/product.md §4.4: `message` for the page, `title` and `text` for the toast. */
export class ListError extends Error {
  readonly title: string
  readonly text: string

  constructor(message: string, title: string, text: string) {
    super(message)
    this.title = title
    this.text = text
  }
}

/** Loads one page of the list. @throws ListError */
export async function loadDogs(query: ListQuery, cursor?: string, signal?: AbortSignal): Promise<DogPage> {
  let response: Response
  const requestedAt = performance.now()
  try {
    const address = paths.api.dogs + formatListQuery({ ...query, view: 'grid' }, cursor)
    response = await fetch(address, { signal: signal ?? null, headers: { Accept: 'application/json' } })
    if (response.ok) {
      const page: DogPage = await response.json()
      discardStaleCounts(
        page.dogs.map((dog) => dog.id),
        requestedAt,
      )
      return page
    }
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ListError('Error de red al cargar los perros.', 'Error de red', 'No se pudo conectar con el servidor.')
  }
  const body: { detail?: string } = await response.json().catch(() => ({}))
  throw toListError(body.detail)
}

export const toListError = (detail?: string): ListError =>
  new ListError(LOAD_FAILED, 'Error al cargar perros', detail ?? 'Error desconocido')
