import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { SearchKey } from './search-key.ts'

type WordsTable = 'dog_words' | 'member_words'

/**
 * Where names are found, best first; each is one stretch of an index. The very name; the same but for accents; what begins
 * so; what has a word that begins so. Who typed an `ñ` is first given all that hold it as typed (`low…`).
 */
const MATCH_STAGES = ['same', 'lowStart', 'lowWord', 'above', 'below', 'start', 'word'] as const
type MatchStage = (typeof MATCH_STAGES)[number]
const stagesOf = ({ hasEnye }: SearchKey): readonly MatchStage[] =>
  hasEnye ? MATCH_STAGES : MATCH_STAGES.filter((stage) => !stage.startsWith('low'))

/** Where a page ended, or begins: the stage and the row in its order. */
export interface NamePosition {
  stage: number
  plain: string
  low: string
  id: string
}
export type NameRow = NamePosition

/** After every text that begins as the one before it. */
const PREFIX_END = '\u{10FFFF}'

/** The row before the first of a stage. */
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
  now: number
  limit: number
}

/** The rows of a stage after a row of it. */
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
  // A name is found once: by the first of its words, and by its letters as typed before it is by those without accents.
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
  if (table === 'member_words')
    rows = rows.where(
      sql<boolean>`not exists (select 1 from bans as b where b.user_id = w.id and (b.until is null or b.until > ${v.now}))`,
    )
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
 * Names of dogs or members, best first, after `from`: at most `limit`, and as many statements as there are stages. Who may
 * not write, and those of `apart`, are left out.
 */
export async function findNames(
  db: Db,
  table: WordsTable,
  key: SearchKey,
  { limit, from, apart = new Set(), now = Date.now() }: FindOptions,
): Promise<NameRow[]> {
  const stages = stagesOf(key)
  const found: NameRow[] = []
  let at: NamePosition | undefined = from
  for (let number = from?.stage ?? 0; number < stages.length && found.length < limit; at = undefined) {
    const stage = stages[number]!
    const after = at ?? { stage: number, ...stageStart[stage](key) }
    // Those who are left out must not empty a page.
    const asked = limit - found.length + apart.size
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
      now,
      limit: asked,
    })
    for (const row of rows) if (found.length < limit && !apart.has(row.id)) found.push({ stage: number, ...row })
    number++
  }
  return found
}

interface FindOptions {
  limit: number
  from?: NamePosition | undefined
  apart?: ReadonlySet<string>
  now?: number
}
