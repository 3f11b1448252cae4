import { sqliteOf, type Sqlite } from '#db/client.ts'
import { exportJson } from '#features/account/export/export-json.server.ts'
import {
  columnKinds,
  columnsOf,
  EXPORTED,
  PERSONAL_DATA,
  type TableName,
  TABLES,
} from '#features/account/personal-data/personal-data.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { assert, dbSuite, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'

const SOON = Date.now() + DAY_MS

/** Joined to what is exported. */
const JOINED = ['contact_threads', 'decisions', 'found_photos', 'sighting_photos'] as const

const markOf = (table: TableName, column: string) => `zq-${table}-${column}`

/** A row of the member in each exported table. All ids are `id`, so that rows belong together. */
function fillTables(sqlite: Sqlite, memberId: string, id: string, special: Record<string, unknown>): void {
  for (const table of new Set<TableName>([...EXPORTED.map(({ table }) => table), ...JOINED])) {
    const types = sqlite.pragma(`table_xinfo("${table}")`) as { name: string; type: string; hidden: number }[]
    const numbers = types.filter(({ type }) => !/TEXT/i.test(type)).map(({ name }) => name)
    const values: Record<string, unknown> = {
      owner: memberId,
      person: memberId,
      named: memberId,
      id,
      time: SOON,
      flag: 1,
    }
    const row = columnKinds(table).map(([column, kind]) => {
      const mark = kind === 'words' ? markOf(table, column) : `${id}-${column}`
      const value = values[kind] ?? (numbers.includes(column) ? 1 : mark)
      return [column, `${table}.${column}` in special ? special[`${table}.${column}`] : value] as const
    })
    sqlite
      .prepare(
        `INSERT OR REPLACE INTO ${table} (${row.map(([column]) => `"${column}"`).join()}) VALUES (${row.map(() => '?').join()})`,
      )
      .run(row.map(([, value]) => value))
  }
}

/** What is seldom there is in the second row: a hidden dog, another's message that the member reported. */
const SPECIAL = {
  'contact_mails.side': 'member',
  'contact_messages.side': 'member',
  'follows.kind': 'member',
  'member_years.figures': '{}',
  'secrets.kind': 'recovery-code',
  'push_subscriptions.endpoint': `https://${markOf('push_subscriptions', 'endpoint')}/`,
  ...Object.fromEntries(TABLES.map((table) => [`${table}.hidden`, 0])),
}
const SELDOM = { ...SPECIAL, 'dogs_all.hidden': 1, 'secrets.kind': 'album-link', 'reported_messages.writer_id': null }

const fields = dbSuite('unit/account/export-fields')

onlyOnSqlite(fields)('the export has the fields that the list of personal data says, and all words', async ({ db }) => {
  const [ana] = await seed(db, member())
  const sqlite = sqliteOf(db)
  sqlite.pragma('foreign_keys = OFF')
  fillTables(sqlite, ana.id, 'x', SPECIAL)
  fillTables(sqlite, ana.id, 'y', SELDOM)
  const text = (await Array.fromAsync(exportJson(db, ana.id))).join('')
  const { moderacion, generado, ...data } = JSON.parse(text)
  assert.ok(generado)
  for (const { table, section, name, fields, others } of EXPORTED) {
    const rows = [(section ? moderacion : data)[name]].flat()
    assert.equal(
      [...new Set(rows.flatMap((row) => Object.keys(row)))].toSorted(),
      [...new Set([...fields.map(([, field]) => field), ...others])].toSorted(),
      `${table}: ${name}`,
    )
    for (const column of columnsOf(table, 'words')) assert.match(text, markOf(table, column))
  }
  const names = (of: string) => new Set(EXPORTED.filter(({ section }) => section === of).map(({ name }) => name))
  assert.equal(new Set(Object.keys(data)), names(''))
  assert.equal(new Set(Object.keys(moderacion)), names('moderacion').add('ocultos'))
})

fields('whatever is a member’s is exported, or it is said why not', () => {
  for (const table of TABLES) {
    const { exported, unexported, until = [], forgets = {} } = PERSONAL_DATA[table]
    const isOfMember = columnsOf(table, 'owner', 'named', 'person').length > 0
    assert.not.ok(exported && unexported, table)
    const own = EXPORTED.find((each) => each.table === table)
    assert.is(own !== undefined, exported !== undefined, table)
    if (isOfMember) assert.ok(exported ?? unexported, `${table}: how it is exported, or why not`)
    const names = own?.fields.map(([column]) => column) ?? []
    if (own)
      assert.equal(
        columnsOf(table, 'words', 'value', 'flag', 'time').filter((column) => !names.includes(column)),
        [],
        table,
      )
    const all = columnKinds(table).map(([column]) => column)
    assert.equal(
      [...names, ...(own?.order ?? []), ...until.flatMap(Object.keys), ...Object.keys(forgets)].filter(
        (column) => !all.includes(column),
      ),
      [],
      table,
    )
    assert.is(new Set(all).size, all.length, table)
  }
})
