import { setImmediate as nextTurn } from 'node:timers/promises'
import { exportJson } from '#features/account/export/export-json.server.ts'
import { EXPORT_PAGE_SIZE } from '#features/account/export/export-pages.server.ts'
import { writeDecision } from '#features/moderation/cases.server.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { assert, dbSuite, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'

const exported = dbSuite('unit/account/export-moderation')

const COUNT = 2 * EXPORT_PAGE_SIZE + 50

onlyOnSqlite(exported)(
  'all decisions and reports are exported, page by page, while others are served',
  async ({ db }) => {
    const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
    for (let n = 0; n < COUNT; n++) {
      // Several of one millisecond.
      const now = 1000 + Math.floor(n / 7)
      const target = { kind: 'comment', targetId: `c${n}`, label: `«${n}»` } as const
      const decision = { caseId: null, ...target, action: 'hold', adminId: null, reason: '' } as const
      await writeDecision(db, { ...decision, memberIds: [ana.id] }, now)
      await writeDecision(db, { ...decision, memberIds: [luis.id] }, now)
      const { kind, targetId: thing_id } = target
      await db
        .insertInto('reports')
        .values({ id: `r${n}`, kind, thing_id, user_id: ana.id, reason: 'spam', words: '', counts: 0, created_at: now })
        .execute()
    }
    await db.insertInto('blocks').values({ user_id: ana.id, blocked_id: luis.id, created_at: 5 }).execute()
    await db.insertInto('bans').values({ user_id: ana.id, until: null, reason: 'Vende.', created_at: 5 }).execute()

    let text = ''
    let turns = 0
    const done = new AbortController()
    const counting = (async () => {
      for (; !done.signal.aborted; turns++) await nextTurn()
    })()
    const plans = await explainQueries(db, async (listening) => {
      for await (const chunk of exportJson(listening, ana.id)) {
        assert.ok(chunk.length < 10_000, `a chunk of ${chunk.length} characters`)
        text += chunk
      }
    })
    done.abort()
    await counting
    const { moderacion } = JSON.parse(text)
    const numbers = (list: { what?: string; thing_id?: string }[]) =>
      list.map(({ what, thing_id }) => Number((what ?? thing_id)!.replace(/\D/g, ''))).toSorted((a, b) => a - b)
    const all = Array.from({ length: COUNT }, (_, n) => n)
    assert.equal(numbers(moderacion.decisiones), all)
    assert.equal(numbers(moderacion.denuncias), all)
    assert.equal(Object.keys(moderacion.decisiones[0]).toSorted(), [
      'appeal',
      'appeal_at',
      'created_at',
      'deed',
      'kind',
      'reason',
      'until',
      'what',
    ])
    assert.equal(moderacion.bloqueos, [{ id: luis.id, created_at: new Date(5).toISOString() }])
    assert.equal([moderacion.veto, moderacion.ocultos], [{ hasta: null, motivo: 'Vende.' }, []])
    assert.ok(turns >= 4, `${turns} turns of the event loop`)
    const pages = plans.filter(({ sql }) => /"(decision_people|reports)"/.test(sql))
    assert.is(pages.length, 6)
    for (const { sql, steps } of pages) assert.not.match(steps.join('\n'), /SCAN|TEMP B-TREE/, sql)
  },
)
