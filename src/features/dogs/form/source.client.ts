import { paths } from '#lib/paths.ts'
import { reach } from '#lib/reach.ts'
import type { Dog } from '../dogs.ts'

/** What the form asks the server before it can be filled in. */

const get = async <T>(url: string, init: RequestInit = {}): Promise<T> => {
  const response = await reach(url, { ...init, headers: { Accept: 'application/json' } })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new Error(detailOf(body) ?? `Error ${response.status}: ${response.statusText}`)
  return body as T
}

export function detailOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('detail' in body)) return undefined
  return typeof body.detail === 'string' ? body.detail : undefined
}

let names: Promise<string[]> | undefined

/** Every breed's name, asked once a page; [] where that fails (docs/product.md §21.3: breed load failure is only logged). */
export function breedNames(): Promise<string[]> {
  names ??= get<{ breeds: { name: string }[] }>(paths.api.breedNames)
    .then(({ breeds }) => breeds.map((breed) => breed.name))
    .catch((error: unknown) => {
      console.error('Error al cargar las razas', error)
      names = undefined
      return []
    })
  return names
}

/** The names as they are now, for what was chosen some time ago; [] where that fails. */
export const currentBreedNames = (): Promise<string[]> =>
  get<{ breeds: { name: string }[] }>(paths.api.breedNames, { cache: 'no-cache' })
    .then(({ breeds }) => breeds.map((breed) => breed.name))
    .catch(() => [])

/** Who is signed in, by id. */
export const signedInId = async (): Promise<string | null> =>
  (await get<{ user: { id: string } | null }>(paths.api.session)).user?.id ?? null

export const dogById = async (id: string): Promise<Dog> => (await get<{ dog: Dog }>(paths.api.dog(id))).dog
