import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSession } from '#features/auth/lucia.server.ts'
import { type Answer, call, formOf } from '#tests/support/api.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { photo } from '#tests/support/photo.ts'
import { dog, seed, signIn, withDatabase } from '#tests/support/seed.ts'
import { startServer } from '#tests/support/server.ts'
import { unzip } from '#tests/support/zip.ts'

const server = await startServer()
const FOREIGN = { Origin: 'https://otro.ejemplo' }
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const NOBODY = '00000000-0000-4000-8000-000000000000'

let count = 0
const newMember = async () => {
  const email = `persona${++count}@ejemplo.es`
  return { email, ...(await signIn(server, email)) }
}
const who = async (cookie: string) => (await call(server, '/api/session', { cookie })).body.user
const post = (path: string, cookie: string, fields: Record<string, string> = {}, headers = {}) =>
  call(server, path, {
    method: 'POST',
    cookie,
    body: new URLSearchParams(fields).toString(),
    headers: { ...FORM, ...headers },
  })

/** A dog with two real photos, added as the form adds it. */
async function newDog(cookie: string, name = 'Toby') {
  const pictures = await Promise.all([photo(40), photo(200)])
  const images = pictures.map((data, i) => new File([data], `${i}.jpg`, { type: 'image/jpeg' }))
  const form = formOf({ name, breed: 'Beagle', zone: 'Lugo', relationship: 'owner', images })
  const { status, body } = await call(server, '/api/dogs', { method: 'POST', form, cookie })
  assert.is(status, 201, JSON.stringify(body))
  return body.dog as { id: string; path: string; images: { url: string }[] }
}
const photoFile = (url: string) => join(server.dataDir, url)

function isProblem({ status, body, headers }: Answer, wanted: number, detail: string, errors?: object) {
  assert.is(status, wanted, JSON.stringify(body))
  assert.match(headers.get('content-type')!, 'application/problem+json')
  assert.is(body.detail, detail)
  if (errors) assert.equal(body.errors, errors)
}

const api = suite('api: account')

api('without a session there is no account: 401, and a form leads to sign-in', async () => {
  for (const cookie of ['', 'perrario=caducada']) {
    for (const [method, path] of [
      ['GET', '/api/account/export'],
      ['GET', '/api/account/sessions'],
      ['DELETE', '/api/account/sessions'],
      ['POST', '/api/account/sessions'],
      ['DELETE', `/api/account/sessions/${NOBODY}`],
    ] as const)
      isProblem(await call(server, path, { method, cookie }), 401, 'Inicia sesión para continuar.')
    const json = { dogs: 'keep' }
    isProblem(
      await call(server, '/api/account', { method: 'DELETE', cookie, json }),
      401,
      'Inicia sesión para continuar.',
    )
    for (const path of ['/api/account', '/api/account/sessions', `/api/account/sessions/${NOBODY}`]) {
      const { status, headers } = await post(path, cookie, { dogs: 'keep', alias: 'x' })
      assert.equal([status, headers.get('location')], [303, '/login'], path)
    }
    const page = await call(server, '/perfil/cuenta', { cookie })
    assert.equal([page.status, page.headers.get('location')], [302, '/login'])
  }
})

api('a page of another origin can neither end sessions nor delete: 403', async () => {
  const { cookie } = await newMember()
  for (const [method, path, type] of [
    ['DELETE', '/api/account', 'application/json'],
    ['POST', '/api/account', 'application/x-www-form-urlencoded'],
    ['DELETE', '/api/account/sessions', 'application/json'],
    ['POST', '/api/account/sessions', 'application/x-www-form-urlencoded'],
    ['POST', `/api/account/sessions/${NOBODY}`, 'text/plain'],
  ] as const)
    isProblem(
      await call(server, path, { method, cookie, body: '{}', headers: { ...FOREIGN, 'Content-Type': type } }),
      403,
      'La petición viene de otro sitio.',
    )
  assert.ok(await who(cookie))
})

api('sessions: listed with their device, ended one by one and all at once', async () => {
  const ana = await newMember()
  const luis = await newMember()
  const phone = await withDatabase(server, (db) => createSession(db, ana.id, undefined, 'Chrome en Android'))
  const phoneCookie = `perrario=${phone.token}`
  const { status, body, headers } = await call(server, '/api/account/sessions', { cookie: ana.cookie })
  assert.is(status, 200)
  assert.is(headers.get('cache-control'), 'no-store')
  const [newer, own] = body.sessions
  assert.equal([newer.device, newer.current, own.device, own.current], ['Chrome en Android', false, null, true])
  assert.equal(Object.keys(own).sort(), ['created_at', 'current', 'device', 'expires_at', 'id'])

  const his = (await call(server, '/api/account/sessions', { cookie: luis.cookie })).body.sessions[0].id
  const end = (id: string, cookie = ana.cookie) =>
    call(server, `/api/account/sessions/${id}`, { method: 'DELETE', cookie })
  isProblem(await end(his), 403, 'Solo puedes cerrar tus propias sesiones.')
  isProblem(await end(NOBODY), 404, 'Esa sesión ya está cerrada.')
  assert.is((await end('abc')).status, 404)
  assert.ok(await who(luis.cookie))

  assert.is((await end(newer.id)).status, 204)
  assert.is(await who(phoneCookie), null)
  assert.ok(await who(ana.cookie))
  isProblem(await end(newer.id), 404, 'Esa sesión ya está cerrada.')

  const third = await withDatabase(server, (db) => createSession(db, ana.id))
  const all = await call(server, '/api/account/sessions', { method: 'DELETE', cookie: ana.cookie })
  assert.equal([all.status, all.body], [200, { user: null, expiresAt: null }])
  assert.match(all.headers.get('set-cookie')!, /^perrario=deleted;.*Expires=Thu, 01 Jan 1970/)
  for (const cookie of [ana.cookie, `perrario=${third.token}`]) assert.is(await who(cookie), null)
  assert.ok(await who(luis.cookie))
})

api('sessions without script: forms lead back to the page, or home when it was one’s own', async () => {
  const { id, cookie } = await newMember()
  await withDatabase(server, (db) => createSession(db, id))
  const [other, own] = (await call(server, '/api/account/sessions', { cookie })).body.sessions
  const first = await post(`/api/account/sessions/${other.id}`, cookie)
  assert.equal([first.status, first.headers.get('location')], [303, '/perfil/cuenta?hecho=sesion#sesiones'])
  assert.match((await call(server, '/perfil/cuenta?hecho=sesion', { cookie })).body, 'Sesión cerrada.')
  const second = await post(`/api/account/sessions/${own.id}`, cookie)
  assert.equal([second.status, second.headers.get('location')], [303, '/'])
  assert.match(second.headers.get('set-cookie')!, 'perrario=deleted')
  assert.is(await who(cookie), null)
})

api('signing in names the device', async () => {
  const email = `${randomUUID()}@ejemplo.es`
  await call(server, '/api/auth/magic-link', { method: 'POST', json: { email } })
  const { code } = lastMailTo(server.dataDir, email)
  const { headers } = await call(server, '/api/auth/code', {
    method: 'POST',
    json: { email, code },
    headers: { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; rv:133.0) Gecko/20100101 Firefox/133.0' },
  })
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  const { sessions } = (await call(server, '/api/account/sessions', { cookie })).body
  assert.equal(
    sessions.map((session: { device: string }) => session.device),
    ['Firefox en Windows'],
  )
})

api('the page shows sessions and data, and no secret', async () => {
  const { email, cookie } = await newMember()
  const { status, body, headers } = await call(server, '/perfil/cuenta', { cookie })
  assert.is(status, 200)
  assert.is(headers.get('cache-control'), 'no-store')
  for (const words of [
    email,
    'Este dispositivo',
    'Cerrar en todos los dispositivos',
    'Descargar mis datos',
    'Eliminar mi cuenta',
  ])
    assert.match(body, words)
  assert.not.match(body, cookie.split('=')[1]!)
})

const download = async (cookie: string) => {
  const response = await fetch(`${server.url}/api/account/export`, { headers: { Cookie: cookie } })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

api('the download holds everything of the member and the photos as they are', async () => {
  const ana = await newMember()
  const luis = await newMember()
  const toby = await newDog(ana.cookie)
  const lobo = await newDog(luis.cookie, 'Lobo')
  await call(server, `/api/dogs/${lobo.id}/like`, { method: 'PUT', cookie: ana.cookie })
  await call(server, `/api/dogs/${lobo.id}/comments`, {
    method: 'POST',
    json: { content: '¡Qué «guapo»!' },
    cookie: ana.cookie,
  })
  await call(server, `/api/dogs/${toby.id}/comments`, {
    method: 'POST',
    json: { content: 'Ajeno' },
    cookie: luis.cookie,
  })
  // One photo's file is lost, and one picture is a drawing.
  rmSync(photoFile(toby.images[1]!.url))
  const { response, bytes } = await download(ana.cookie)
  assert.is(response.status, 200)
  assert.is(response.headers.get('content-type'), 'application/zip')
  assert.match(response.headers.get('content-disposition')!, /^attachment; filename="perrario-\d{8}\.zip"$/)
  assert.is(response.headers.get('cache-control'), 'no-store')
  const files = await unzip(bytes)
  assert.equal([...files.keys()], ['datos.json', `fotos${toby.path}/1.jpg`])
  assert.equal(files.get(`fotos${toby.path}/1.jpg`), readFileSync(photoFile(toby.images[0]!.url)))
  const text = files.get('datos.json')!.toString()
  const data = JSON.parse(text)
  assert.equal([data.cuenta.id, data.cuenta.email], [ana.id, ana.email])
  assert.match(data.perfil.alias, /^Perrit\d+$/)
  assert.equal(
    data.perros.map((one: { name: string; zone: string; images: object[] }) => [one.name, one.zone, one.images.length]),
    [['Toby', 'Lugo', 2]],
  )
  assert.is(data.perros[0].images[0].archivo, `fotos${toby.path}/1.jpg`)
  assert.equal([data.likes.length, data.likes[0].dog_id, data.likes[0].perro], [1, lobo.id, 'Lobo'])
  assert.equal([data.comentarios.length, data.comentarios[0].content], [1, '¡Qué «guapo»!'])
  assert.is(data.sesiones.length, 1)
  assert.equal([data.avisos.quiet, data.dispositivos], [{ from: '23:00', to: '08:00' }, []])
  assert.ok(Array.isArray(data.notificaciones) && Array.isArray(data.proveedores))
  const secrets = await withDatabase(server, (db) => db.selectFrom('sessions').select(['id', 'public_id']).execute())
  for (const secret of [ana.cookie.split('=')[1]!, ...secrets.flatMap((row) => [row.id, row.public_id])])
    assert.not.match(text, secret)
  // What another member said of Toby is theirs; the line of the bell that tells of it is Ana's.
  const told = data.notificaciones.filter((line: { type: string }) => line.type === 'comment')
  assert.equal([told.length, told[0].content.includes('Ajeno')], [1, true])
  assert.not.match(text, luis.email)
})

api('a long list is whole: more likes and comments than a page of the reader', async () => {
  const { id, cookie } = await newMember()
  await withDatabase(server, async (db) => {
    const [rex] = await seed(db, dog({ owner_id: null, name: 'Rex' }))
    const rows = Array.from({ length: 450 }, (_, i) => ({
      id: randomUUID(),
      dog_id: rex.id,
      user_id: id,
      content: `n${i}`,
      created_at: 1 + (i >> 3),
    }))
    for (const row of rows) await db.insertInto('comments').values(row).execute()
  })
  const data = JSON.parse((await unzip((await download(cookie)).bytes)).get('datos.json')!.toString())
  const said = data.comentarios.map((one: { content: string }) => one.content)
  assert.is(new Set(said).size, 450)
  assert.is(said.length, 450)
})

api('who downloads without pause is asked to wait', async () => {
  const { cookie } = await newMember()
  for (let i = 0; i < 10; i++) assert.is((await download(cookie)).response.status, 200)
  const { response } = await download(cookie)
  assert.is(response.status, 429)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
})

api('a reader that stops reading is waited for, and one that goes leaves nothing open', async () => {
  const { id, cookie } = await newMember()
  const { images } = await withDatabase(server, async (db) => (await seed(db, dog({ owner_id: id, photos: 40 })))[0])
  const bytes = Buffer.alloc(1_500_000, 7)
  for (const { url } of images) writeFileSync(photoFile(url), bytes)
  const io = `/proc/${server.pid()}/io`
  // Only Linux tells what a process has read.
  if (!existsSync(io)) return
  const read = () => Number(/^rchar: (\d+)/m.exec(readFileSync(io, 'utf8'))![1])
  const before = read()
  const request = get(`${server.url}/api/account/export`, { headers: { Cookie: cookie } })
  const [response] = await once(request, 'response')
  response.pause()
  let last = -1
  for (let now = read(); now !== last; now = read()) {
    last = now
    await new Promise((done) => setTimeout(done, 400))
  }
  assert.ok(last - before < 30_000_000, `${last - before} bytes read for somebody who takes none`)
  request.destroy()
  const openPhotos = () =>
    readdirSync(`/proc/${server.pid()}/fd`).filter((fd) => {
      try {
        return readlinkSync(`/proc/${server.pid()}/fd/${fd}`).includes('/photos/')
      } catch {
        return false
      }
    })
  for (let i = 0; i < 100 && openPhotos().length > 0; i++) await new Promise((done) => setTimeout(done, 50))
  assert.equal(openPhotos(), [])
  assert.is((await unzip((await download(cookie)).bytes)).size, 41)
})

const WRONG_ALIAS = 'Escribe tu alias tal como aparece en tu perfil.'

api('DELETE with the dogs: dogs, photos, likes and words go, addresses answer 410, every session ends', async () => {
  const ana = await newMember()
  const luis = await newMember()
  const [toby, lobo] = [await newDog(ana.cookie), await newDog(luis.cookie, 'Lobo')]
  const other = await withDatabase(server, (db) => createSession(db, ana.id))
  await call(server, `/api/dogs/${lobo.id}/like`, { method: 'PUT', cookie: ana.cookie })
  await call(server, `/api/dogs/${lobo.id}/comments`, { method: 'POST', json: { content: 'Hola' }, cookie: ana.cookie })
  const { status, body, headers } = await call(server, '/api/account', {
    method: 'DELETE',
    cookie: ana.cookie,
    json: { dogs: 'delete', alias: (await who(ana.cookie)).alias },
  })
  assert.equal([status, body], [204, undefined])
  assert.match(headers.get('set-cookie')!, 'perrario=deleted')
  for (const cookie of [ana.cookie, `perrario=${other.token}`]) assert.is(await who(cookie), null)
  assert.is((await call(server, toby.path)).status, 410)
  assert.is((await call(server, `/api/dogs/${toby.id}`)).status, 404)
  assert.is((await call(server, `/usuario/${ana.id}`)).status, 404)
  for (const { url } of toby.images) assert.not.ok(existsSync(photoFile(url)), url)
  const { likes, comments } = (await call(server, `/api/dogs/${lobo.id}`)).body.dog
  assert.equal([likes, comments], [0, 0])
  for (const { url } of lobo.images) assert.ok(existsSync(photoFile(url)))
})

api('DELETE without the dogs: they stay, nobody’s; the address registers afresh', async () => {
  const { id, email, cookie } = await newMember()
  const luna = await newDog(cookie, 'Luna')
  const remove = (json: unknown) => call(server, '/api/account', { method: 'DELETE', cookie, json })
  for (const json of [{}, { dogs: 'todos' }, { dogs: null }, []])
    assert.is((await remove(json)).status, 422, JSON.stringify(json))
  isProblem(await remove({}), 422, 'Elige qué hacemos con tus perros.', {
    dogs: 'Elige qué hacemos con tus perros.',
    alias: WRONG_ALIAS,
  })
  isProblem(await remove({ dogs: 'keep', alias: 'Otra' }), 422, WRONG_ALIAS, { alias: WRONG_ALIAS })
  isProblem(await remove({ dogs: 'keep' }), 422, WRONG_ALIAS, { alias: WRONG_ALIAS })
  assert.is((await remove({ dogs: 'keep', alias: (await who(cookie)).alias })).status, 204)
  const { dog } = (await call(server, `/api/dogs/${luna.id}`)).body
  assert.equal([dog.user_id, dog.owner_id, dog.discoverer_id], [null, null, null])
  assert.is((await call(server, luna.path)).status, 200)
  assert.ok(existsSync(photoFile(luna.images[0]!.url)))
  const again = await signIn(server, email)
  assert.is.not(again.id, id)
  assert.is((await who(again.cookie)).email, email)
})

api('the form without script: asks for the alias, then leads home signed out', async () => {
  const { cookie } = await newMember()
  const { alias } = await who(cookie)
  for (const [fields, error] of [
    [{ dogs: 'keep' }, 'alias'],
    [{ dogs: 'keep', alias: 'Otra' }, 'alias'],
    [{ alias }, 'perros'],
  ] as [Record<string, string>, string][]) {
    const { status, headers } = await post('/api/account', cookie, fields)
    assert.equal([status, headers.get('location')], [303, `/perfil/cuenta?error=${error}#eliminar`])
  }
  assert.match((await call(server, '/perfil/cuenta?error=alias', { cookie })).body, WRONG_ALIAS)
  assert.match(
    (await call(server, '/perfil/cuenta?error=perros', { cookie })).body,
    'Elige qué hacemos con tus perros.',
  )
  assert.ok(await who(cookie))
  const { status, headers } = await post('/api/account', cookie, { dogs: 'keep', alias: alias.toUpperCase() })
  assert.equal([status, headers.get('location')], [303, '/'])
  assert.match(headers.get('set-cookie')!, 'perrario=deleted')
  assert.is(await who(cookie), null)
})

api.after(() => server.dispose())
api.run()
