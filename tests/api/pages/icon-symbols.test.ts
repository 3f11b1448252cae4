import { listTemplates, type TemplateState } from '#tests/support/browser/templates.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { assert, call, serverSuite } from '#tests/support/suites.ts'

const ADMIN = 'admin@ejemplo.es'

const symbols = serverSuite<{ world: MatrixWorld; states: TemplateState[] }>('api/pages/icon-symbols', {
  ADMIN_EMAIL: ADMIN,
  RENDERS_PER_MINUTE: '0',
})

symbols.before(async (t) => {
  t.world = await createMatrixWorld(t.server.db, t.server.dataDir, ADMIN)
  t.states = Object.values(await listTemplates(t.server.db, t.world)).flat()
  // Roles are made while the database is open.
  for (const role of ['owner', ...t.states.map(({ by }) => by)] as const) await t.world.cookieOf(role)
})

symbols('every template holds each drawing once that its icons refer to', async ({ server, world, states }) => {
  const faults: string[] = []
  for (const { path, by } of states) {
    const html = String((await call(server, path, { cookie: await world.cookieOf(by) })).body)
    const ids = [...html.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id!)
    // Drawings of breeds refer to parts of their own.
    for (const [, id] of html.matchAll(/<use href="#([^"]+)"/g))
      if (!html.includes(` id="${id}"`)) faults.push(`${path}: no symbol ${id}`)
    if (new Set(ids).size < ids.length) faults.push(`${path}: a symbol twice`)
  }
  assert.equal(faults, [])
})

symbols("the list's props are the same for a visitor and for a member with likes", async ({ server, world }) => {
  const listOf = async (cookie: string) => String((await call(server, '/perros', { cookie })).body)
  const visitor = await listOf('')
  const member = await listOf(await world.cookieOf('owner'))
  const propsOf = (html: string) => /component-export="DogGrid"[^>]* props="([^"]+)"/.exec(html)?.[1]
  assert.ok(propsOf(visitor))
  assert.is(propsOf(member), propsOf(visitor))
  assert.ok(propsOf(visitor)!.length < 500)
  assert.match(member, new RegExp(`data-like="${world.loved.id}"[^>]* aria-pressed="true"`))
})
