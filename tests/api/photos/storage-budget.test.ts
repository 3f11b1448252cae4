import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { addComment } from '#features/comments/comments.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { runChecks } from '#features/maintenance/doctor/doctor.server.ts'
import { isPostgresRun, onlyOnSqlite } from '#tests/support/db.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { noisePhoto, photo } from '#tests/support/photos/sample-photos.ts'
import { runToEnd, startServer, type TestServer } from '#tests/support/server.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { type Answer, assert, assertProblem, call, dog, formOf, member, seed, suite } from '#tests/support/suites.ts'

// What everybody together takes of the disk: so much in a day, visitors half of it, and nothing where little is left.

const disk = suite('api/photos/storage-budget')

const MB = 1_000_000
const SPENT = 'Hoy ya hemos guardado todas las fotos que caben en un día. Mañana podrás subir las tuyas.'
const VISITORS_SPENT =
  'Hoy ya hemos guardado todas las fotos que caben de quienes no tienen cuenta. Entra con la tuya o inténtalo mañana.'
const NO_ROOM = 'Ahora mismo no nos queda sitio para guardar fotos. Inténtalo más tarde.'

const files = (server: TestServer) => globSync('photos/**/*', { cwd: server.dataDir }).toSorted()
const bytesOf = (server: TestServer) =>
  files(server).reduce((sum, path) => sum + statSync(join(server.dataDir, path)).size, 0)

let networks = 0
/** Each time from another network. */
const add = (server: TestServer, cookie: string | undefined, images: Blob[]) =>
  call(server, '/api/dogs', {
    method: 'POST',
    cookie,
    form: formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images }),
    headers: { 'X-Forwarded-For': `10.${++networks}.0.1` },
  })
const putImages = (server: TestServer, cookie: string, dog: { id: string; photo_url: string }, image: Blob) =>
  call(server, `/api/dogs/${dog.id}/images`, {
    method: 'PUT',
    cookie,
    form: formOf({ images: [dog.photo_url, image] }),
  })

/** The first refusal. */
async function addUntilRefused(addOne: () => Promise<Answer>): Promise<Answer> {
  for (let n = 0; n < 20; n++) {
    const answer = await addOne()
    if (answer.status !== 201) return answer
  }
  throw new Error('Nothing was refused')
}

const checkOf = async (server: TestServer, what: string, storage: object) => {
  const limits = { siteUploadBytesPerDay: MB, minFreeBytes: 0, ...storage }
  const { dataDir, databaseUrl } = server
  const options = { dataDir, databaseUrl, backupDir: join(dataDir, 'backups'), backups: null }
  const { level, detail } = (await runChecks({ ...options, storage: limits })).find((one) => one.what === what)!
  return [level, detail] as const
}

disk('the daily bytes of all networks and members survive restarts, and visitors use half at most', async () => {
  await using server = await startServer({ TRUST_PROXY: '1', SITE_UPLOAD_MB_PER_DAY: '1' })
  const heavy = new Blob([await noisePhoto(500, 400)])
  const visitors = await addUntilRefused(() => add(server, undefined, [heavy]))
  assertProblem(visitors, 503, VISITORS_SPENT)
  assert.ok(Number(visitors.headers.get('retry-after')) > 80_000)
  assert.ok(bytesOf(server) <= MB / 2 && bytesOf(server) > 0, String(bytesOf(server)))
  const ana = await signInMember(server, 'ana@ejemplo.es')
  const { dog } = (await add(server, ana.cookie, [heavy])).body
  let members = 0
  const refused = await addUntilRefused(async () => {
    return add(server, (await signInMember(server, `persona${++members}@ejemplo.es`)).cookie, [heavy])
  })
  assertProblem(refused, 503, SPENT)
  const filesBefore = files(server)
  assert.ok(bytesOf(server) <= MB && bytesOf(server) > MB / 2, String(bytesOf(server)))
  assert.is((await checkOf(server, 'fotos de hoy', {}))[0], 'aviso')
  assert.is((await checkOf(server, 'fotos de hoy', { siteUploadBytesPerDay: 10 * MB }))[0], 'ok')
  await server.restart()
  // Of an upload that goes beyond it nothing stays, and a gallery is left as it was.
  assertProblem(await add(server, ana.cookie, [new Blob([await photo(10)]), heavy]), 503, SPENT)
  assertProblem(await putImages(server, ana.cookie, dog, heavy), 503, SPENT)
  assertProblem(await add(server, undefined, [heavy]), 503, VISITORS_SPENT)
  assert.equal(files(server), filesBefore)
  assert.is((await call(server, `/api/dogs/${dog.id}`)).body.dog.images.length, 1)
  const yesterday = Date.now() - 86_400_000
  await server.db.updateTable('daily_budgets').set({ since: yesterday }).execute()
  assert.is((await add(server, undefined, [heavy])).status, 201, 'the next day')
})

disk('one network stores a quarter of the daily total, with however many accounts; others use the rest', async () => {
  await using server = await startServer({ TRUST_PROXY: '1', SITE_UPLOAD_MB_PER_DAY: '2' })
  const heavy = new Blob([await noisePhoto(500, 400)])
  let members = 0
  const addFrom = async (network: string, cookie?: string) =>
    call(server, '/api/dogs', {
      method: 'POST',
      cookie,
      form: formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images: [heavy] }),
      headers: { 'X-Forwarded-For': network },
    })
  const asNewMember = async (network: string) =>
    addFrom(network, (await signInMember(server, `gente${++members}@ejemplo.es`)).cookie)
  const refused = await addUntilRefused(() => asNewMember('192.0.2.1'))
  assertProblem(refused, 429, 'Hoy ya se han subido muchísimas fotos desde tu red. Mañana podrás subir más.')
  assert.ok(bytesOf(server) <= MB / 2 && bytesOf(server) > 0, String(bytesOf(server)))
  assert.is((await addFrom('192.0.2.1')).status, 429, 'its visitors neither')
  // One customer's 65,536 networks of IPv6 are one.
  let network = 0
  await addUntilRefused(() => asNewMember(`2001:db8:1:${++network}::1`))
  assert.ok(bytesOf(server) <= MB, String(bytesOf(server)))
  assert.is((await asNewMember('198.51.100.1')).status, 201)
})

disk('less free disk than the minimum is 507 before a byte is written, and the site keeps running', async () => {
  // No disk has as much.
  await using server = await startServer({ TRUST_PROXY: '1', MIN_FREE_MB: '999999999' })
  const image = new Blob([await photo()])
  const ana = await signInMember(server, 'ana@ejemplo.es')
  for (const cookie of [undefined, ana.cookie]) {
    const answer = await add(server, cookie, [image])
    assertProblem(answer, 507, NO_ROOM)
    assert.is(answer.headers.get('retry-after'), '600')
  }
  assert.equal(files(server), [])
  assert.is((await call(server, '/perros')).status, 200)
  const alias = { alias: 'Ana de Lugo', emoji: '🐕' }
  assert.is((await call(server, '/api/profile', { method: 'PUT', cookie: ana.cookie, json: alias })).status, 200)
  const [level, detail] = await checkOf(server, 'disco', { minFreeBytes: 999_999_999 * MB })
  assert.is(level, 'error')
  const refused = isPostgresRun ? 'fotos nuevas' : 'nada nuevo'
  assert.match(detail, new RegExp(`menos que MIN_FREE_MB: el sitio no guarda ${refused}$`))
})

// Rows of PostgreSQL need no space here: `api/nodes/full-disk`.
onlyOnSqlite(disk)('below the minimum nothing is added, and everything can be deleted', async () => {
  await using server = await startServer({ ADMIN_EMAIL: 'admin@ejemplo.es', MIN_FREE_MB: '999999999' })
  const ana = await signInMember(server, 'ana@ejemplo.es')
  const [own, , other] = await seed(server.db, dog({ owner_id: ana.id }), member(), dog())
  await like(server.db, ana, other.id)
  const [toby, luna, comment] = [own, other, await addComment(server.db, ana, other.id, 'Hola')] as const
  const as = (method: string, path: string, json?: object) =>
    call(server, path, { method, cookie: ana.cookie, ...(json && { json }) })
  for (const answer of [
    await as('POST', `/api/dogs/${luna.id}/comments`, { content: 'Otro' }),
    await as('PUT', `/api/dogs/${toby.id}/like`),
    await as('POST', '/api/reports', { kind: 'dog', id: luna.id, reason: 'spam', words: '' }),
  ]) {
    assertProblem(answer, 507, 'Ahora mismo no nos queda sitio para guardar nada. Inténtalo más tarde.')
    assert.is(answer.headers.get('retry-after'), '600')
  }
  assert.is((await as('PATCH', `/api/dogs/${toby.id}`, { description: 'Sin teléfono.' })).status, 200)
  assert.is((await as('DELETE', `/api/comments/${comment.id}`)).status, 204)
  assert.is((await as('DELETE', `/api/dogs/${luna.id}/like`)).status, 200)
  assert.is((await as('DELETE', `/api/dogs/${toby.id}`)).status, 204)
})

disk('the daily bytes of comments count per member, per network and in total, over restarts', async () => {
  // A hundredth of it may be comments: 10 kB of a member, 10 kB of a network, 40 kB of all.
  await using server = await startServer({ UPLOAD_MB_PER_DAY: '1', SITE_UPLOAD_MB_PER_DAY: '4', TRUST_PROXY: '1' })
  const [toby] = await seed(server.db, dog({ owner_id: null }))
  // The heaviest that is allowed: 7,500 bytes.
  const heavy = '👨‍👩‍👧‍👦'.repeat(300)
  const say = (who: TestMember, content: string, network = who.id) =>
    call(server, `/api/dogs/${toby.id}/comments`, {
      method: 'POST',
      cookie: who.cookie,
      json: { content },
      headers: { 'X-Forwarded-For': addresses.get(network)! },
    })
  const people: TestMember[] = []
  for (const name of ['ana', 'bea', 'eva', 'luz', 'pia', 'sol', 'tea', 'zoe'])
    people.push(await signInMember(server, `${name}@ejemplo.es`))
  const addresses = new Map(people.map(({ id }, i) => [id, `10.${i}.0.1`]))
  const [ana, sol, tea, zoe] = [people[0]!, people[5]!, people[6]!, people[7]!]
  assert.is((await say(ana, heavy)).status, 201)
  assertProblem(await say(ana, heavy), 429, 'Hoy ya has escrito muchísimo. Mañana podrás seguir.')
  assertProblem(
    await say(tea, heavy, ana.id),
    429,
    'Hoy ya se ha escrito muchísimo desde tu red. Mañana podrás seguir.',
  )
  assert.is((await say(ana, 'Corto')).status, 201, 'what still fits')
  for (const who of people.slice(1, 5)) assert.is((await say(who, heavy)).status, 201)
  const spent = 'Hoy ya se han escrito todos los comentarios que caben en un día. Mañana podrás escribir el tuyo.'
  // What is refused for another reason takes nothing.
  const nowhere = `/api/dogs/${UNKNOWN_ID}/comments`
  assert.is(
    (await call(server, nowhere, { method: 'POST', cookie: sol.cookie, json: { content: 'a'.repeat(300) } })).status,
    404,
  )
  const refused = await say(sol, heavy)
  assertProblem(refused, 503, spent)
  assert.ok(Number(refused.headers.get('retry-after')) > 80_000)
  await server.restart()
  // Nodes remember over a restart what a refused comment took of its author's own bytes.
  assertProblem(await say(zoe, heavy), 503, spent)
  const used = await server.db.selectFrom('daily_budgets').select('used').execute()
  assert.equal(used, [{ used: 5 * Buffer.byteLength(heavy) + 5 }])
})

disk('0 sets no limit; an invalid number prevents the start', async () => {
  const server = await startServer({ SITE_UPLOAD_MB_PER_DAY: '0', MIN_FREE_MB: '0', RENDER_CACHE_MB: '0' })
  assert.is((await add(server, undefined, [new Blob([await photo()])])).status, 201)
  await server.dispose()
  for (const name of ['SITE_UPLOAD_MB_PER_DAY', 'MIN_FREE_MB', 'RENDER_CACHE_MB']) {
    const { code, output } = await runToEnd({ PORT: '0', [name]: 'mucho' })
    assert.is(code, 1)
    assert.match(output, new RegExp(`${name}=mucho: valor no válido`))
  }
})
