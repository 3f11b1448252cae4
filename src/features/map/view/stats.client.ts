import type { DogPage, DogStats } from '#features/dogs/dogs.ts'
import type { ListQuery } from '#features/dogs/list/list-query.ts'
import { paths } from '#lib/paths.ts'

/** Loads the statistics above the map for these filters; null where the request fails. */
export async function loadStats({ breed, size }: ListQuery): Promise<DogStats | null> {
  const params = new URLSearchParams({ limit: '1', ...(breed && { breed }), ...(size && { size }) })
  try {
    const response = await fetch(`${paths.api.dogs}?${params}`, { headers: { Accept: 'application/json' } })
    return response.ok ? ((await response.json()) as DogPage).stats : null
  } catch {
    return null
  }
}
