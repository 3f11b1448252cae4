import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { accountHelpers } from '#tests/support/account/account-helpers.ts'
import { unzip } from '#tests/support/zip.ts'
import { assert, call, dog, seed, startServer, suite } from '#tests/support/suites.ts'

const server = await startServer()
const { newMember, newDog, photoFile } = accountHelpers(server)

const api = suite('api/account/export')

const download = async (cookie: string) => {
  const response = await fetch(`${server.url}/api/account/export`, { headers: { Cookie: cookie } })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

api('the download contains all data of the member and the photos as stored', async () => {
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
  assert.equal([response.status, response.headers.get('content-type')], [200, 'application/zip'])
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
  assert.equal([data.comentarios.length, data.comentarios[0].content, data.sesiones.length], [1, '¡Qué «guapo»!', 1])
  assert.equal([data.avisos.quiet, data.dispositivos], [{ from: '23:00', to: '08:00' }, []])
  assert.ok(Array.isArray(data.notificaciones) && Array.isArray(data.proveedores))
  const secrets = await server.db.selectFrom('sessions').select(['id', 'public_id']).execute()
  for (const secret of [ana.cookie.split('=')[1]!, ...secrets.flatMap((row) => [row.id, row.public_id])])
    assert.not.match(text, secret)
  // What another member said of Toby is theirs; the notification about it is Ana's.
  const told = data.notificaciones.filter((line: { type: string }) => line.type === 'comment')
  assert.equal([told.length, told[0].content.includes('Ajeno')], [1, true])
  assert.not.match(text, luis.email)
})

api('a list longer than one page is exported completely: likes and comments', async () => {
  const { id, cookie } = await newMember()
  const [rex] = await seed(server.db, dog({ owner_id: null, name: 'Rex' }))
  const rows = Array.from({ length: 450 }, (_, i) => ({
    id: randomUUID(),
    dog_id: rex.id,
    user_id: id,
    content: `n${i}`,
    created_at: 1 + (i >> 3),
  }))
  for (const row of rows) await server.db.insertInto('comments_all').values(row).execute()
  const data = JSON.parse((await unzip((await download(cookie)).bytes)).get('datos.json')!.toString())
  const said = data.comentarios.map((one: { content: string }) => one.content)
  assert.is(new Set(said).size, 450)
  assert.is(said.length, 450)
})

api('a member who downloads without pause is limited with Retry-After', async () => {
  const { cookie } = await newMember()
  for (let i = 0; i < 10; i++) assert.is((await download(cookie)).response.status, 200)
  const { response } = await download(cookie)
  assert.is(response.status, 429)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
})

api('a slow reader is waited for, and one that disconnects leaves nothing open', async () => {
  const { id, cookie } = await newMember()
  const { images } = (await seed(server.db, dog({ owner_id: id, photos: 40 })))[0]
  const bytes = Buffer.alloc(1_500_000, 7)
  for (const { url } of images) writeFileSync(photoFile(url), bytes)
  const io = `/proc/${server.pid()}/io`
  // Only Linux reports what a process has read.
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
  for (let i = 0; i < 600 && openPhotos().length > 0; i++) await new Promise((done) => setTimeout(done, 50))
  assert.equal(openPhotos(), [])
  assert.is((await unzip((await download(cookie)).bytes)).size, 41)
})

api.after(() => server.dispose())
