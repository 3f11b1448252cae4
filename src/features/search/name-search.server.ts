import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import type { SearchKey } from '#lib/text/search-key.ts'

type WordsTable = 'dog_words' | 'member_words'

/**
 * The stages of a search, best matches first; each reads one range of an index: the exact name; the name apart from
 * accents; names that begin with the text; names with a word that begins with it. For a text with `ñ`, all matches with `ñ`
 * as typed (`low…`) come first.
 */
const MATCH_STAGES = ['same', 'lowStart', 'lowWord', 'above', 'below', 'start', 'word'] as const
type MatchStage = (typeof MATCH_STAGES)[number]
const stagesOf = ({ hasEnye }: SearchKey): readonly MatchStage[] =>
  hasEnye ? MATCH_STAGES : MATCH_STAGES.filter((stage) => !stage.startsWith('low'))

/** The position where a page ends: the stage, and the last row in the stage's order. */
export interface NamePosition {
  stage: number
  plain: string
  low: string
  id: string
}
export type NameRow = NamePosition

/** Appended to a prefix, sorts after every text that begins with the prefix. */
const PREFIX_END = '\u{10FFFF}'

/** The position before the first row of a stage. */
const stageStart: Record<MatchStage, (key: SearchKey) => Omit<NamePosition, 'stage'>> = {
  same: ({ plain, low }) => ({ plain, low, id: '' }),
  lowStart: ({ low }) => ({ plain: '', low, id: PREFIX_END }),
  lowWord: ({ low }) => ({ plain: '', low, id: '' }),
  above: ({ plain, low }) => ({ plain, low, id: PREFIX_END }),
  below: ({ plain }) => ({ plain, low: '', id: '' }),
  start: ({ plain }) => ({ plain, low: PREFIX_END, id: '' }),
  word: ({ plain }) => ({ plain, low: '', id: '' }),
}

interface StageValues {
  plain: string
  plainEnd: string
  low: string
  lowEnd: string
  afterPlain: string
  afterLow: string
  afterId: string
  viewerId: string | undefined
  now: number
  limit: number
}

/** The rows of a stage after `v.after…`. */
function selectStageRows(db: Db, table: WordsTable, stage: MatchStage, hasEnye: boolean, v: StageValues) {
  const isWord = stage === 'word' || stage === 'lowWord'
  let rows = db
    .selectFrom(`${table} as w`)
    .select(['w.plain', 'w.low', 'w.id'])
    .where('w.place', '=', isWord ? 1 : 0)
  const after = ['w.low', 'w.id'] as const
  if (stage === 'start' || stage === 'word')
    rows = rows
      .where((eb) => eb(eb.refTuple('w.plain', 'w.low', 'w.id'), '>', eb.tuple(v.afterPlain, v.afterLow, v.afterId)))
      .where('w.plain', '<', v.plainEnd)
      .orderBy('w.plain')
  else rows = rows.where((eb) => eb(eb.refTuple(...after), '>', eb.tuple(v.afterLow, v.afterId)))
  if (stage === 'lowStart' || stage === 'lowWord') rows = rows.where('w.low', '<', v.lowEnd)
  if (stage === 'same') rows = rows.where('w.low', '=', v.low)
  if (stage === 'same' || stage === 'above' || stage === 'below') rows = rows.where('w.plain', '=', v.plain)
  if (stage === 'below') rows = rows.where('w.low', '<', v.low)
  // A name is found once: by the first matching word, and as typed rather than apart from accents.
  const column = stage === 'lowWord' ? sql.ref('e.low') : sql.ref('e.plain')
  const [first, end] = stage === 'lowWord' ? [v.low, v.lowEnd] : [v.plain, v.plainEnd]
  const words = sql.table(table)
  if (isWord)
    rows = rows.where(
      sql<boolean>`not exists (select 1 from ${words} as e where e.id = w.id and ${column} >= ${first}
        and ${column} < ${end} and (e.place < 1 or ${column} < ${sql.ref(stage === 'lowWord' ? 'w.low' : 'w.plain')}))`,
    )
  if (hasEnye && !stage.startsWith('low') && stage !== 'same')
    rows = rows.where(
      sql<boolean>`not exists (select 1 from ${words} as e where e.id = w.id and e.low >= ${v.low} and e.low < ${v.lowEnd})`,
    )
  if (table === 'member_words') rows = rows.where(visibleTo(v.viewerId, 'search', v.now).of('w.id'))
  return rows.orderBy('w.low').orderBy('w.id').limit(v.limit)
}

const preparedQueries = new Map<string, ReturnType<typeof prepareQuery<StageValues, Omit<NameRow, 'stage'>>>>()

function prepareStage(table: WordsTable, stage: MatchStage, hasEnye: boolean) {
  const name = `${table} ${stage} ${hasEnye}`
  let query = preparedQueries.get(name)
  if (!query)
    preparedQueries.set(
      name,
      (query = prepareQuery((db, values: StageValues) => selectStageRows(db, table, stage, hasEnye, values))),
    )
  return query
}

/**
 * Finds names of dogs or members, best first, after `from`: at most `limit`, in at most one statement per stage. Members whom
 * the viewer does not see are left out.
 */
export async function findNames(
  db: Db,
  table: WordsTable,
  key: SearchKey,
  { limit, from, viewerId, now = Date.now() }: FindOptions,
): Promise<NameRow[]> {
  const stages = stagesOf(key)
  const found: NameRow[] = []
  let position: NamePosition | undefined = from
  for (let number = from?.stage ?? 0; number < stages.length && found.length < limit; position = undefined) {
    const stage = stages[number]!
    const after = position ?? { stage: number, ...stageStart[stage](key) }
    const rows = await prepareStage(
      table,
      stage,
      key.hasEnye,
    )(db, {
      plain: key.plain,
      plainEnd: key.plain + PREFIX_END,
      low: key.low,
      lowEnd: key.low + PREFIX_END,
      afterPlain: after.plain,
      afterLow: after.low,
      afterId: after.id,
      viewerId,
      now,
      limit: limit - found.length,
    })
    found.push(...rows.map((row) => ({ stage: number, ...row })))
    number++
  }
  return found
}

interface FindOptions {
  limit: number
  from?: NamePosition | undefined
  viewerId?: string | undefined
  now?: number
}
