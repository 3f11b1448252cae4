import type { APIContext } from 'astro'
import { AppError } from '#lib/errors.ts'
import { getEnv } from '#server/env.ts'
import { limit } from '#server/limits/rate-limit.ts'
import {
  HITS_PER_KIND,
  type KindHits,
  type Hit,
  type SearchQuery,
  parseSearchQuery,
  SEARCH_TEXTS,
  SUGGEST_MIN_CHARS,
  SUGGESTIONS_PER_KIND,
  SEARCH_PAGE_SIZE,
} from './search.ts'
import { searchAll, searchKind, suggestBreeds } from './search.server.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'

/** Searches share the limit of page renders; `factor` multiplies it. @throws AppError 429 */
const assertSearchLimit = async (limitName: string, network: string, factor: number): Promise<void> => {
  const { rendersPerMinute } = getEnv()
  if (rendersPerMinute > 0)
    await limit(limitName, network, rendersPerMinute * factor, MINUTE_SECONDS, SEARCH_TEXTS.often)
}

type Context = Pick<APIContext, 'locals' | 'url'>

const searchOptions = ({ locals }: Context) => ({ dataDir: getEnv().dataDir, user: locals.user })

export interface SearchResults {
  query: SearchQuery
  found: KindHits[]
  /** Breeds to suggest where nothing was found. */
  similarBreeds: Hit[]
}

/**
 * Loads the results for the page's address; null for an invalid or outdated cursor.
 * @throws AppError 429
 */
export async function loadResults(context: Context): Promise<SearchResults | null> {
  const query = parseSearchQuery(context.url.searchParams)
  if (!query.text || query.isLong) return { query, found: [], similarBreeds: [] }
  await assertSearchLimit('search', context.locals.network, 1)
  const { text, kind, cursor } = query
  const options = searchOptions(context)
  try {
    const found = kind
      ? [await searchKind(context.locals.db, text, kind, { ...options, limit: SEARCH_PAGE_SIZE, cursor })].filter(
          ({ hits }) => hits.length,
        )
      : await searchAll(context.locals.db, text, HITS_PER_KIND, options)
    if (found.length === 0 && cursor !== undefined) return null
    const similarBreeds = found.length === 0 ? await suggestBreeds(context.locals.db, text, options) : []
    return { query, found, similarBreeds }
  } catch (error) {
    if (error instanceof AppError && error.status === 422) return null
    throw error
  }
}

/** Loads suggestions while the user types; none below SUGGEST_MIN_CHARS. @throws AppError 429 */
export async function loadSuggestions(context: Context): Promise<{ text: string; found: KindHits[] }> {
  const { text, isLong } = parseSearchQuery(context.url.searchParams)
  if (text.length < SUGGEST_MIN_CHARS || isLong) return { text, found: [] }
  await assertSearchLimit('search-suggest', context.locals.network, 2)
  return { text, found: await searchAll(context.locals.db, text, SUGGESTIONS_PER_KIND, searchOptions(context)) }
}
