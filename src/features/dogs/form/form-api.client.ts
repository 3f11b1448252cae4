import { paths } from '#lib/paths.ts'
import { fetchOrExplain } from '#lib/http/fetch-or-explain.ts'
import type { Dog } from '#features/dogs/dogs.ts'

/** What the form asks the server before it can be filled in. */

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

let names: Promise<string[]> | undefined

/** Every breed's name, asked once a page; [] where that fails (docs/product.md §21.3: breed load failure is only logged). */
export function fetchBreedNames(): Promise<string[]> {
  names ??= fetchJson<{ breeds: { name: string }[] }>(paths.api.breedNames)
    .then(({ breeds }) => breeds.map((breed) => breed.name))
    .catch((error: unknown) => {
      console.error('Error al cargar las razas', error)
      names = undefined
      return []
    })
  return names
}

/** The names as they are now, for what was chosen some time ago; [] where that fails. */
export const fetchCurrentBreedNames = (): Promise<string[]> =>
  fetchJson<{ breeds: { name: string }[] }>(paths.api.breedNames, { cache: 'no-cache' })
    .then(({ breeds }) => breeds.map((breed) => breed.name))
    .catch(() => [])

/** Who is signed in, by id. */
export const fetchSignedInId = async (): Promise<string | null> =>
  (await fetchJson<{ user: { id: string } | null }>(paths.api.session)).user?.id ?? null

export const fetchDog = async (id: string): Promise<Dog> => (await fetchJson<{ dog: Dog }>(paths.api.dog(id))).dog
