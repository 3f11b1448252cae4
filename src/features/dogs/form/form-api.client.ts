import { paths } from '#lib/paths.ts'
import { SECOND_MS } from '#lib/time.ts'
import { fetchOrExplain } from '#lib/http/fetch-or-explain.ts'
import type { Dog } from '#features/dogs/dogs.ts'

// The form's requests to the server, except saving.

const fetchJson = async <T>(url: string, init: RequestInit = {}): Promise<T> => {
  const response = await fetchOrExplain(url, { ...init, headers: { Accept: 'application/json' } })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new Error(problemDetail(body) ?? `Error ${response.status}: ${response.statusText}`)
  return body as T
}

export function problemDetail(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('detail' in body)) return undefined
  return typeof body.detail === 'string' ? body.detail : undefined
}

const requestBreedNames = async (init?: RequestInit): Promise<string[]> =>
  (await fetchJson<{ breeds: { name: string }[] }>(paths.api.breedNames, init)).breeds.map(({ name }) => name)

let breedNames: Promise<string[]> | undefined

/** Every breed's name, fetched once a page; [] on failure, which is only logged (docs/product.md §21.3). */
export function fetchBreedNames(): Promise<string[]> {
  breedNames ??= requestBreedNames().catch((error: unknown) => {
    console.error('Error al cargar las razas', error)
    breedNames = undefined
    return []
  })
  return breedNames
}

/** The breeds' names past any cache, to check a breed chosen some time ago; [] on failure. */
export const fetchCurrentBreedNames = (): Promise<string[]> => requestBreedNames({ cache: 'no-cache' }).catch(() => [])

/** The id of the signed-in member, or null. @throws Error with the sentence to show */
export const fetchSignedInId = async (): Promise<string | null> =>
  (await fetchJson<{ user: { id: string } | null }>(paths.api.session, { signal: AbortSignal.timeout(10 * SECOND_MS) }))
    .user?.id ?? null

export const fetchDog = async (id: string): Promise<Dog> => (await fetchJson<{ dog: Dog }>(paths.api.dog(id))).dog

/** Names of towns and quarters that begin with `text`, best first. @throws Error without a valid response, or on abort */
export const fetchPlaceNames = async (text: string, signal: AbortSignal): Promise<string[]> =>
  (await fetchJson<{ places: { name: string }[] }>(paths.api.places(text), { signal })).places.map(({ name }) => name)
