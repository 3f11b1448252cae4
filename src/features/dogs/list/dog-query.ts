import * as z from 'zod/mini'
import { type DogQuery, type Size, SORTS, type Sort } from '#features/dogs/dogs.ts'
import { readSize } from '#features/dogs/read-size.ts'

export const DEFAULT_PAGE_SIZE = 24
export const MAX_PAGE_SIZE = 100

const text = z.string().check(z.maxLength(500, 'Filtro no válido.'))
const customIssue = (input: unknown, message: string) => ({ code: 'custom' as const, input, message })

/** The query of `GET /api/dogs`, strict: `validate(dogQuerySchema, nonEmptyParams(url.searchParams))`. */
export const dogQuerySchema = z.object({
  breed: z.optional(text),
  size: z.optional(
    z.pipe(
      text,
      z.transform((value: string, ctx): Size => {
        const size = readSize(value)
        if (!size) ctx.issues.push(customIssue(value, 'Tamaño no válido.'))
        return size ?? 'mini'
      }),
    ),
  ),
  sort: z.optional(z.enum(SORTS, 'Orden no válido.')),
  cursor: z.optional(text),
  limit: z.optional(
    z.pipe(
      text,
      z.transform((value: string, ctx): number => {
        const limit = /^\d{1,4}$/.test(value) ? Number(value) : 0
        if (limit < 1 || limit > MAX_PAGE_SIZE)
          ctx.issues.push(customIssue(value, `El límite debe estar entre 1 y ${MAX_PAGE_SIZE}.`))
        return limit
      }),
    ),
  ),
})

/** The first value of each parameter, without empty ones. */
export function nonEmptyParams(params: URLSearchParams): Record<string, string> {
  const entries = [...new Set(params.keys())].map((key) => [key, params.get(key) ?? ''] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** The query in a page's address. It may have been edited by hand: invalid values are ignored, never an error. */
export function readPageQuery(params: URLSearchParams): DogQuery {
  const given = nonEmptyParams(params)
  const query: DogQuery = {}
  const size = given.size && readSize(given.size)
  if (size) query.size = size
  if (given.breed && given.breed.length <= 500) query.breed = given.breed
  if (SORTS.includes(given.sort as Sort)) query.sort = given.sort as Sort
  return query
}
