import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { prepared } from '#db/prepared.ts'
import type { SearchKey } from './key.ts'

type Words = 'dog_words' | 'member_words'

/**
 * Where names are found, best first; each is one stretch of an index. The very name; the same but for accents; what begins
 * so; what has a word that begins so. Who typed an `ñ` is first given all that hold it as typed (`low…`).
 */
const STAGES = ['same', 'lowStart', 'lowWord', 'above', 'below', 'start', 'word'] as const
type Stage = (typeof STAGES)[number]
const stagesOf = ({ hasEnye }: SearchKey): readonly Stage[] =>
  hasEnye ? STAGES : STAGES.filter((stage) => !stage.startsWith('low'))

/** Where a page ended, or begins: the stage and the row in its order. */
export interface NamePlace {
  stage: number
  plain: string
  low: string
  id: string
}
export type NameRow = NamePlace

/** After every text that begins as the one before it. */
const END = '\u{10FFFF}'

/** The row before the first of a stage. */
const beginning: Record<Stage, (key: SearchKey) => Omit<NamePlace, 'stage'>> = {
  same: ({ plain, low }) => ({ plain, low, id: '' }),
  lowStart: ({ low }) => ({ plain: '', low, id: END }),
  lowWord: ({ low }) => ({ plain: '', low, id: '' }),
  above: ({ plain, low }) => ({ plain, low, id: END }),
  below: ({ plain }) => ({ plain, low: '', id: '' }),
  start: ({ plain }) => ({ plain, low: END, id: '' }),
  word: ({ plain }) => ({ plain, low: '', id: '' }),
}

interface Values {
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
function stageRows(db: Db, table: Words, stage: Stage, hasEnye: boolean, v: Values) {
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

const ready = new Map<string, ReturnType<typeof prepared<Values, Omit<NameRow, 'stage'>>>>()

function stageQuery(table: Words, stage: Stage, hasEnye: boolean) {
  const name = `${table} ${stage} ${hasEnye}`
  let query = ready.get(name)
  if (!query) ready.set(name, (query = prepared((db, values: Values) => stageRows(db, table, stage, hasEnye, values))))
  return query
}

/**
 * Names of dogs or members, best first, after `from`: at most `limit`, and as many statements as there are stages. Who may
 * not write, and those of `apart`, are left out.
 */
export async function findNames(
  db: Db,
  table: Words,
  key: SearchKey,
  { limit, from, apart = new Set(), now = Date.now() }: FindOptions,
): Promise<NameRow[]> {
  const stages = stagesOf(key)
  const found: NameRow[] = []
  let at: NamePlace | undefined = from
  for (let number = from?.stage ?? 0; number < stages.length && found.length < limit; at = undefined) {
    const stage = stages[number]!
    const after = at ?? { stage: number, ...beginning[stage](key) }
    // Those who are left out must not empty a page.
    const asked = limit - found.length + apart.size
    const rows = await stageQuery(
      table,
      stage,
      key.hasEnye,
    )(db, {
      plain: key.plain,
      plainEnd: key.plain + END,
      low: key.low,
      lowEnd: key.low + END,
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
  from?: NamePlace | undefined
  apart?: ReadonlySet<string>
  now?: number
}
