import { submitReport } from '#features/reports/reports.server.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { dog, member, seed, signIn } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { answered, assert, assertNone, call, insert, serverSuite } from '#tests/support/suites.ts'

// Who goes from button to button by ear hears nothing around them.

const ADMIN = 'admin@ejemplo.es'
const names = serverSuite('api/moderation/button-names', { ADMIN_EMAIL: ADMIN }, async ({ server }) => {
  const cookie = (await signIn(server, ADMIN)).cookie
  const { db } = server
  const [ana, toby, luna, luis] = await seed(
    db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby' }),
    dog({ name: 'Luna' }),
    member({ alias: 'Luis' }),
  )
  for (const [n, { id }] of [toby, luna].entries()) {
    await submitReport(db, luis, { kind: 'dog', id, reason: 'otra', words: 'x' }, `203.0.113.${n}`)
    const case_id = await addLostCase(db, { dogId: id, ownerId: ana.id })
    const sender = { member_id: null, network: null, request_key: null, lat: null, lon: null, warning: null }
    // Two of each dog.
    for (const at of [1e12, 1e12 + 3_600_000])
      await insert(db, 'sightings_all', {
        id: crypto.randomUUID(),
        case_id,
        ...sender,
        at,
        zone: 'Getafe',
        words: '',
        state: 'delivered',
        hidden: 1,
        created_at: at,
      })
    const notice_id = await addNotice(db, { hidden: 1, found_at: 1e12 + n * 3_600_000 })
    await db.insertInto('found_photos').values({ notice_id, data: '', width: 8, height: 6 }).execute()
    for (const claim of ['a', 'b']) {
      const claim_id = `${claim}${n}`
      const answer = `Una mancha ${claim_id}`
      await insert(db, 'found_claims', {
        id: claim_id,
        notice_id,
        user_id: [ana, luis][n]!.id,
        answer,
        created_at: 1,
        state: 'open',
      })
      await insert(db, 'found_reports', {
        id: claim_id,
        notice_id,
        claim_id,
        reporter_id: null,
        network: null,
        reason: 'money',
        created_at: 1,
      })
    }
    const text = { id: `${n}`, message_id: `${n}`, side: 'finder' as const, text: 'Dame dinero' }
    await insert(db, 'reported_messages', {
      ...text,
      writer_id: [ana, luis][n]!.id,
      reporter_id: null,
      written_at: 1,
      created_at: 1,
    })
  }
  return { cookie }
})

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The accessible names of the buttons in the page's main part. */
function buttonNames(body: string): string[] {
  const main = body.slice(body.indexOf('<main'))
  return [...main.matchAll(/<(button|summary)\b([^>]*)>([\s\S]*?)<\/\1>/g)].map(
    ([, , attributes, content]) => /aria-label="([^"]*)"/.exec(attributes!)?.[1] ?? textOf(content!),
  )
}

/** How many buttons the lists have at least. */
const PAGES: [string, number][] = [
  [paths.adminQueue, 2 * 5 + 12 * 2],
  [`${paths.admin}?tab=usuarios`, 2 * 3],
  [lostPaths.adminSightings, 4 * 2],
  [lostPaths.adminFound, 2 * 2],
  [`${paths.adminQueue}&clase=respuesta`, 4 * 2],
  [lostPaths.adminMessages, 2 * 2],
]
for (const [path, least] of PAGES)
  names(`no two buttons of ${path} have the same name`, async ({ server, cookie }) => {
    const { body } = await answered(200, call(server, path, { cookie }))
    const found = buttonNames(body)
    assert.ok(found.length >= least, `${found.length}: ${found.join(', ')}`)
    assertNone(found, (name) => /\s:/.test(name))
    assertNone(found, (name, index) => found.indexOf(name) !== index)
  })
