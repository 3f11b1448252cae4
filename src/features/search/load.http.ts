import type { APIContext } from 'astro'
import { AppError } from '#lib/errors.ts'
import { getEnv } from '#server/env.ts'
import { limit } from '#server/rate.ts'
import {
  BEST,
  type Found,
  type Hit,
  type Query,
  readQuery,
  SEARCH_TEXTS,
  SUGGEST_FROM,
  SUGGESTED,
  PAGE,
} from './search.ts'
import { searchAll, searchKind, searchMeant } from './search.server.ts'

const MINUTE = 60

/** As many searches as other pages; suggestions come with every letter. */
const mayAsk = async (what: string, ip: string, times: number): Promise<void> => {
  const { rendersPerMinute } = getEnv()
  if (rendersPerMinute > 0) await limit(what, ip, rendersPerMinute * times, MINUTE, SEARCH_TEXTS.often)
}

type Context = Pick<APIContext, 'locals' | 'url'>

const optionsOf = ({ locals }: Context) => ({ dataDir: getEnv().dataDir, user: locals.user })

export interface Results {
  query: Query
  found: Found[]
  /** Where nothing was found: what may have been meant. */
  meant: Hit[]
}

/**
 * What the page of results shows; null for a cursor that leads nowhere, as an old link's.
 * @throws AppError 429
 */
export async function loadResults(context: Context): Promise<Results | null> {
  const query = readQuery(context.url.searchParams)
  if (!query.text || query.isLong) return { query, found: [], meant: [] }
  await mayAsk('search', context.locals.ip, 1)
  const { text, kind, cursor } = query
  const options = optionsOf(context)
  try {
    const found = kind
      ? [await searchKind(context.locals.db, text, kind, { ...options, limit: PAGE, cursor })].filter(
          ({ hits }) => hits.length,
        )
      : await searchAll(context.locals.db, text, BEST, options)
    if (found.length === 0 && cursor !== undefined) return null
    const meant = found.length === 0 ? await searchMeant(context.locals.db, text, options) : []
    return { query, found, meant }
  } catch (error) {
    if (error instanceof AppError && error.status === 422) return null
    throw error
  }
}

/** What is proposed while somebody types; nothing of less than two letters. @throws AppError 429 */
export async function loadSuggestions(context: Context): Promise<{ text: string; found: Found[] }> {
  const { text, isLong } = readQuery(context.url.searchParams)
  if (text.length < SUGGEST_FROM || isLong) return { text, found: [] }
  await mayAsk('search suggestions', context.locals.ip, 2)
  return { text, found: await searchAll(context.locals.db, text, SUGGESTED, optionsOf(context)) }
}
