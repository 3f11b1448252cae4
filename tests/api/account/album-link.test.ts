import { call } from '#tests/support/api.ts'
import { dog, seed, signIn } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import {
  answered,
  assert,
  assertMatches,
  assertNoMatch,
  redirectOf,
  serverSuite,
  type ServerWorld,
} from '#tests/support/suites.ts'

interface Site extends ServerWorld {
  ana: { id: string; cookie: string }
  luis: { id: string; cookie: string }
  /** Whom Ana discovered. */
  walked: string
}
const link = serverSuite<Site>('api/account/album-link')
link.before(async (t) => {
  t.ana = await signIn(t.server, 'ana@ejemplo.es')
  t.luis = await signIn(t.server, 'luis@ejemplo.es')
  await t.server.db.updateTable('profiles_all').set({ alias: 'Ana Sol' }).where('id', '=', t.ana.id).execute()
  const [walked] = await seed(
    t.server.db,
    dog({ breed: 'Whippet', discoverer_id: t.ana.id }),
    dog({ breed: 'Beagle', owner_id: t.ana.id }),
    dog({ breed: 'Teckel', owner_id: t.luis.id }),
  )
  t.walked = walked.id
})

const postPage = (server: TestServer, accion: string, cookie: string) =>
  call(server, '/perfil/enlace', { method: 'POST', fields: { accion }, cookie, headers: { Origin: server.url } })
const addressIn = (html: string): string => /\/me-falta\?enlace=[\w-]{43}/.exec(html)![0]

link('whoever has the address sees what is missing, and nothing that leads to the profile', async ({ server, ana }) => {
  const made = await answered(200, postPage(server, 'crear', ana.cookie))
  const shown = await answered(200, call(server, addressIn(made.body)))
  assertMatches(shown.body, 'A Ana Sol le faltan 439 razas', '<meta name="robots" content="noindex"')
  assert.equal([shown.headers.get('referrer-policy'), shown.headers.get('cache-control')], ['same-origin', 'no-store'])
  assertNoMatch(shown.body, ana.id, 'href="/razas/beagle"')
  assert.match(shown.body, 'href="/razas/akita-inu"')
  // It is not shown again.
  const again = await call(server, '/perfil/enlace', { cookie: ana.cookie })
  assert.match(again.body, 'Tienes un enlace')
  assert.not.match(again.body, '/me-falta?enlace=')
})

link('a withdrawn link says that it does not work', async ({ server, ana }) => {
  const { body } = await call(server, '/api/album-link', { method: 'POST', cookie: ana.cookie })
  assert.is((await call(server, body.path)).status, 200)
  assert.is((await postPage(server, 'retirar', ana.cookie)).status, 200)
  assert.match((await answered(404, call(server, body.path))).body, 'Este enlace no existe o ya no funciona')
  assert.is((await call(server, '/api/album-link', { method: 'DELETE', cookie: ana.cookie })).status, 204)
})

link('links of one member are limited', async ({ server, luis }) => {
  let last = 201
  for (let i = 0; i < 21 && last === 201; i++)
    last = (await call(server, '/api/album-link', { method: 'POST', cookie: luis.cookie })).status
  assert.is(last, 429)
  const refused = await answered(429, postPage(server, 'crear', luis.cookie))
  assert.match(refused.body, 'Hoy ya has creado muchos enlaces.')
})

link('members compare their albums, and a visitor is led to sign-in', async ({ server, ana, luis }) => {
  assert.equal(redirectOf(await call(server, `/usuario/${ana.id}?tab=comparar`)), [302, '/login'])
  const side = (lado: string) => call(server, `/usuario/${ana.id}?tab=comparar&lado=${lado}`, { cookie: luis.cookie })
  const mine = (await side('le-falta')).body
  assert.match(mine, 'href="/razas/teckel"')
  assert.not.match(mine, 'href="/razas/beagle"')
  const theirs = (await side('me-falta')).body
  assertMatches(theirs, 'href="/razas/beagle"', 'href="/razas/whippet"')
  assert.not.match(theirs, 'href="/razas/teckel"')
  assert.match(theirs, 'una raza se descubre viendo un perro')
  const own = await call(server, `/usuario/${ana.id}?tab=comparar`, { cookie: ana.cookie })
  assert.match(own.body, 'Este es tu propio álbum')
})

link('a comparison and a filtered album that are kept show what has changed', async ({ server, ana, luis, walked }) => {
  const compare = `/usuario/${ana.id}?lado=me-falta&tab=comparar`
  const filtered = `/usuario/${ana.id}?album=descubiertos&tab=razas`
  for (const path of [compare, filtered])
    for (let i = 0; i < 2; i++)
      assert.not.match((await call(server, path, { cookie: luis.cookie })).body, 'razas/boxer')
  await call(server, filtered)
  const edit = { method: 'PATCH', cookie: ana.cookie, json: { breed: 'Bóxer' } }
  assert.is((await call(server, `/api/dogs/${walked}`, edit)).status, 200)
  for (const cookie of [luis.cookie, undefined])
    assert.match((await call(server, filtered, { cookie })).body, 'href="/razas/boxer"')
  assert.match((await call(server, compare, { cookie: luis.cookie })).body, 'href="/razas/boxer"')
})

link('a block ends the comparison', async ({ server, ana, luis }) => {
  await call(server, `/api/blocks/${luis.id}`, { method: 'PUT', cookie: ana.cookie })
  const page = await call(server, `/usuario/${ana.id}?tab=comparar`, { cookie: luis.cookie })
  assertNoMatch(page.body, 'Tu álbum y el de', 'href="/razas/teckel"')
})
