import { like } from '#features/likes/likes.server.ts'
import { refreshCommunityYear } from '#features/years/community-year.server.ts'
import { memories } from '#features/years/memories.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { isYearOpen, madridYear, yearRange } from '#features/years/years.ts'
import { madridDay, madridMidnight } from '#lib/dates.ts'
import { call } from '#tests/support/api.ts'
import { signInMember } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import {
  answered,
  assert,
  assertMatches,
  assertNoMatch,
  detailOf,
  redirectOf,
  serverSuite,
} from '#tests/support/suites.ts'

// Last year can be looked back on whatever the day.
const YEAR = madridYear(Date.now()) - 1
const IN_YEAR = yearRange(YEAR).from + 40 * 86_400_000

const years = serverSuite<{ ana: { id: string; cookie: string; alias: string } }>('api/years/years')
years.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  const { db } = t.server

  const [bea] = await seed(db, member({ alias: 'Bea Fan' }))
  const [toby] = await seed(
    db,
    dog({ owner_id: t.ana.id, created_at: IN_YEAR, name: 'Toby', zone: 'Soria' }),
    dog({ discoverer_id: t.ana.id, created_at: IN_YEAR + 1000, name: 'Luna', breed: 'Bóxer', zone: 'Teruel' }),
  )
  await like(db, bea, toby.id, IN_YEAR + 2000)
})

const postForm = (server: TestServer, path: string, fields: Record<string, string>, cookie: string) =>
  call(server, path, { method: 'POST', fields, cookie })

years('the member sees eight cards, each with its picture', async ({ server, ana }) => {
  const page = await answered(200, call(server, `/perfil/${YEAR}`, { cookie: ana.cookie }))
  assertMatches(page.body, `Tu ${YEAR} en perros`, '<meta name="robots" content="noindex"')
  assert.is(page.headers.get('cache-control'), 'no-store')
  assert.match(page.body, 'Bea Fan')
  const pictures = [...page.body.matchAll(/href="(\/perfil\/\d{4}\/[a-z]+\.jpg)"/g)].map(([, path]) => path as string)
  assert.is(pictures.length, 8)
  for (const path of pictures) {
    const picture = await fetch(server.url + path, { headers: { Cookie: ana.cookie } })
    assert.equal([path, picture.status, picture.headers.get('content-type')], [path, 200, 'image/jpeg'])
    assert.is(picture.headers.get('cache-control'), 'private, no-cache')
    const again = await fetch(server.url + path, {
      headers: { Cookie: ana.cookie, 'If-None-Match': picture.headers.get('etag')! },
    })
    assert.is(again.status, 304)
  }
  assert.is((await call(server, `/perfil/${YEAR}/otra.jpg`, { cookie: ana.cookie })).status, 404)
})

years('a visitor is sent to sign in, and other years have a sentence', async ({ server, ana }) => {
  assert.equal(redirectOf(await call(server, `/perfil/${YEAR}`)), [302, '/login'])
  assert.is((await call(server, `/perfil/${YEAR}/portada.jpg`)).status, 404)
  const wanted: [string, string][] = [
    [`${YEAR + 2}`, `Tu ${YEAR + 2} se podrá ver a partir del 1 de diciembre de ${YEAR + 2}.`],
    [`${YEAR - 1}`, `El ${YEAR - 1} ya no se puede ver: cada año se queda hasta que acaba el siguiente.`],
    ['nada', 'Ese año no existe en Perrario.'],
  ]
  for (const [year, sentence] of wanted) {
    const page = await call(server, `/perfil/${year}`, { cookie: ana.cookie })
    assert.equal([year, page.status], [year, 404])
    assert.match(page.body, sentence)
    const answer = await call(server, `/api/years/${year}/link`, { method: 'POST', json: {}, cookie: ana.cookie })
    assert.equal(detailOf(answer), [404, sentence])
  }
})

years('before its December the address of a year says when it comes', async ({ server, ana }) => {
  const now = Date.now()
  const year = madridYear(now)
  if (isYearOpen(year, now)) return
  for (const path of [`/perfil/${year}`, `/comunidad/${year}`]) {
    const page = await call(server, path, { cookie: ana.cookie })
    assert.is(page.status, 200, path)
    assert.match(page.body, `se podrá ver a partir del 1 de diciembre de ${year}.`)
  }
})

years('a member without dogs gets a kind page', async ({ server }) => {
  const eva = await signInMember(server, 'eva@ejemplo.es')
  const page = await answered(200, call(server, `/perfil/${YEAR}`, { cookie: eva.cookie }))
  assertMatches(page.body, `Un ${YEAR} tranquilo`, `En ${YEAR} no añadiste perros`)
  assert.is((await call(server, `/perfil/${YEAR}/portada.jpg`, { cookie: eva.cookie })).status, 404)
})

years('a link shows the year to anybody without naming others, until it is taken back', async ({ server, ana }) => {
  const made = await postForm(server, `/api/years/${YEAR}/link`, {}, ana.cookie)
  const address = made.headers.get('location')!.replace('#enlace', '')
  assert.match(address, new RegExp(`^/perfil/${YEAR}\\?clave=[\\w-]{43}$`))
  const own = await call(server, address, { cookie: ana.cookie })
  assertMatches(own.body, `value="${server.url}${address}"`, 'Retirar el enlace')

  const shared = await call(server, address)
  assert.equal([shared.status, shared.headers.get('referrer-policy')], [200, 'same-origin'])
  assertMatches(shared.body, `El ${YEAR} en perros de ${ana.alias}`, '<meta name="robots" content="noindex"')
  assertNoMatch(shared.body, 'Bea Fan', 'id="enlace"')
  const pictures = [...shared.body.matchAll(/href="(\/perfil\/\d{4}\/[a-z]+\.jpg\?clave=[\w-]{43})"/g)]
  assert.is(pictures.length, 8)
  const picture = pictures[4]![1]!
  assert.is((await fetch(server.url + picture)).status, 200)

  const withdrawn = await postForm(server, `/api/years/${YEAR}/link`, { que: 'retirar' }, ana.cookie)
  assert.is(withdrawn.headers.get('location'), `/perfil/${YEAR}?enlace=retirado#enlace`)
  for (const cookie of ['', ana.cookie]) {
    const gone = await answered(404, call(server, address, { ...(cookie && { cookie }) }))
    assert.match(gone.body, 'Este enlace ya no vale.')
    assert.not.match(gone.body, 'Toby')
  }
  assert.is((await fetch(server.url + picture)).status, 404)
})

years('the API makes a link and takes it back', async ({ server, ana }) => {
  const path = `/api/years/${YEAR}/link`
  const made = await answered(201, call(server, path, { method: 'POST', json: {}, cookie: ana.cookie }))
  assert.is((await call(server, made.body.path)).status, 200)
  for (let i = 0; i < 2; i++)
    assert.is((await call(server, path, { method: 'DELETE', cookie: ana.cookie })).status, 204, 'idempotent')
  assert.is((await call(server, made.body.path)).status, 404)
  assert.is((await call(server, path, { method: 'POST', json: {} })).status, 401)
})

years('links are made and taken back 30 times in ten minutes', async ({ server }) => {
  const { cookie } = await signInMember(server, 'luis@ejemplo.es')
  let status = 0
  for (let i = 0; i < 31; i++)
    status = (await call(server, `/api/years/${YEAR}/link`, { method: 'DELETE', cookie })).status
  assert.is(status, 429)
  for (const fields of [{}, { que: 'retirar' }] as Record<string, string>[]) {
    const form = await postForm(server, `/api/years/${YEAR}/link`, fields, cookie)
    assert.equal(redirectOf(form), [303, `/perfil/${YEAR}?enlace=muchos#enlace`])
  }
})

years('the community’s year is public and linked, and names nobody', async ({ server }) => {
  // Nobody has counted it yet.
  const page = await answered(200, call(server, `/comunidad/${YEAR}`))
  assertMatches(page.body, `El ${YEAR} de la comunidad`, 'Mapa de España: Soria, 1; Teruel, 1')
  for (const name of ['Toby', 'Bea Fan']) assert.not.match(page.body, name)
  await refreshCommunityYear(server.db, yearRange(YEAR).to)
  assert.match((await call(server, '/comunidad')).body, `href="/comunidad/${YEAR}"`)
})

years('«Tal día» is switched off from the notification without script', async ({ server, ana }) => {
  const today = madridDay(Date.now())
  await seed(server.db, dog({ owner_id: ana.id, name: 'Nala', created_at: madridMidnight(today - 10_000) + 1 }))
  await runDueJobs(server.db, [memories], { now: madridMidnight(today) + 12 * 3_600_000 })
  const list = await call(server, '/notificaciones', { cookie: ana.cookie })
  assertMatches(list.body, 'Hace un año llegó al álbum Nala.', 'action="/api/account/memories"')
  const stopped = await postForm(server, '/api/account/memories', {}, ana.cookie)
  assert.equal(redirectOf(stopped), [303, '/notificaciones?hecho=recuerdos'])
  const settings = await call(server, '/api/account/notices', { cookie: ana.cookie })
  assert.equal([settings.body.memories, settings.body.likes], [false, true])
  const { digest: _digest, ...account } = settings.body
  const put = await call(server, '/api/account/notices', {
    method: 'PUT',
    json: { ...account, digest: true, memories: true },
    cookie: ana.cookie,
  })
  assert.is(put.body.memories, true)
})
