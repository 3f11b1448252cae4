import { signInMember } from '#tests/support/members.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import { accountDeletionBody } from '#tests/support/seed.ts'
import { unzip } from '#tests/support/zip.ts'
import { type Answer, assert, call, detailOf, formOf, serverSuite, type WorldOf } from '#tests/support/suites.ts'

const ADMIN = 'admin@ejemplo.es'
const LONG = 'La descripción de la foto no puede tener más de 150 caracteres.'
interface SentDog {
  id: string
  path: string
  waits?: true
  in_review?: string[]
  images: { url: string; order: number; alt: string | null }[]
}
type Fields = Parameters<typeof formOf>[0]

const api = serverSuite(
  'api/dogs/photo-alts',
  { ADMIN_EMAIL: ADMIN, SITE_URL: 'http://perrario.example' },
  async ({ server }) => {
    const ana = await signInMember(server)
    const luis = await signInMember(server, 'luis@ejemplo.es')
    const admin = await signInMember(server, ADMIN)
    return { ana, luis, admin }
  },
)
type Shared = WorldOf<typeof api>

const jpeg = new Blob([await photo()], { type: 'image/jpeg' })
const other = new Blob([await photo(220, 30, 50)], { type: 'image/jpeg' })
const fake = new Blob([textFile], { type: 'image/jpeg' })

const post = ({ server, ana }: Shared, fields: Fields, cookie: string | undefined = ana.cookie) => {
  const form = formOf({ name: 'Toby', breed: 'Beagle', zone: 'Jaca', images: jpeg, ...fields })
  return call(server, '/api/dogs', { method: 'POST', form, cookie })
}
const put = ({ server, ana }: Shared, { id }: SentDog, fields: Fields, cookie: string | undefined = ana.cookie) =>
  call(server, `/api/dogs/${id}/images`, { method: 'PUT', form: formOf(fields), cookie })
const dogOf = ({ status, body }: Answer): SentDog => {
  assert.ok(status === 200 || status === 201, JSON.stringify(body))
  return body.dog
}
const stored = async ({ server }: Shared, { id }: SentDog) => dogOf(await call(server, `/api/dogs/${id}`))
const altsOf = ({ images }: SentDog) => images.map(({ alt }) => alt)
const refused = ({ status, body }: Answer, detail: string, field: string) =>
  assert.equal([status, body.detail, body.errors], [422, detail, { [field]: detail }])

// Setting -------------------------------------------------------------------------------------------------------------

api('a new dog’s photos are described one by one, and a description may be missing', async (t) => {
  const added = dogOf(await post(t, { images: [jpeg, other, jpeg], alts: ['  Duerme en\nel sofá ', '', '<i>Corre'] }))
  assert.equal(altsOf(added), ['Duerme en el sofá', null, 'iCorre'])
  assert.equal(await stored(t, added), added)
  const listed = (await call(t.server, '/api/dogs?limit=1')).body.dogs[0] as SentDog
  assert.equal(altsOf(listed), ['Duerme en el sofá', null, 'iCorre'])
  assert.equal(altsOf(dogOf(await post(t, { images: [jpeg, other], alts: 'Solo la primera' }))), [
    'Solo la primera',
    null,
  ])
  assert.equal(altsOf(dogOf(await post(t, {}))), [null])
})

api('a visitor may describe photos', async (t) => {
  assert.equal(altsOf(dogOf(await post(t, { alts: 'En la playa', open_for_ms: '9000' }, ''))), ['En la playa'])
})

api('descriptions stay with their photo when another one is unreadable', async (t) => {
  const answer = await post(t, { images: [fake, jpeg], alts: ['De la rota', 'De la buena'] })
  assert.is(answer.body.skipped[0].index, 0)
  assert.equal(altsOf(dogOf(answer)), ['De la buena'])
  const [kept] = dogOf(answer).images
  const changed = await put(t, dogOf(answer), { images: [fake, kept!.url], alts: ['De la rota', 'De la misma'] })
  assert.equal(altsOf(dogOf(changed)), ['De la misma'])
})

// Changing, clearing --------------------------------------------------------------------------------------------------

api('a gallery edit changes descriptions, moves them with their photo and clears them', async (t) => {
  const added = dogOf(await post(t, { images: [jpeg, other], alts: ['Una', 'Otra'] }))
  const [a, b] = added.images.map(({ url }) => url) as [string, string]

  const changed = dogOf(await put(t, added, { images: [a, b], alts: ['Una más larga', 'Otra'] }))
  assert.equal(altsOf(changed), ['Una más larga', 'Otra'])
  // Who knows nothing of descriptions, or sends fewer, takes none away.
  assert.equal(altsOf(dogOf(await put(t, added, { images: [b, a] }))), ['Otra', 'Una más larga'])
  assert.equal(altsOf(dogOf(await put(t, added, { images: [a, b], alts: 'Nueva' }))), ['Nueva', 'Otra'])
  assert.equal(altsOf(dogOf(await put(t, added, { images: [a, b], alts: ['', 'Otra'] }))), [null, 'Otra'])
  // A photo that goes takes its words along; a new one has none of them.
  const replaced = dogOf(await put(t, added, { images: [a, other] }))
  assert.equal(altsOf(replaced), [null, null])
  assert.equal(altsOf(await stored(t, added)), [null, null])
  const words = await t.server.db
    .selectFrom('dog_images')
    .select('alt')
    .where('alt', 'in', ['Otra', 'Una más larga', 'Nueva'])
    .execute()
  assert.equal(words, [])
})

// Refusing ------------------------------------------------------------------------------------------------------------

api('a too long description is refused with its index', async (t) => {
  const alts = ['Bien', 'a'.repeat(151)]
  refused(await post(t, { images: [jpeg, other], alts }), LONG, 'alts.1')
  const added = dogOf(await post(t, { images: [jpeg, other], alts: ['Bien', 'a'.repeat(150)] }))
  refused(await put(t, added, { images: added.images.map(({ url }) => url), alts }), LONG, 'alts.1')
  assert.equal(altsOf(await stored(t, added)), ['Bien', 'a'.repeat(150)])
})

api('all errors are returned at once, the missing photo first', async (t) => {
  const form = formOf({ name: 'a,b', alts: 'De ninguna' })
  const { status, body } = await call(t.server, '/api/dogs', { method: 'POST', form, cookie: t.ana.cookie })
  assert.equal([status, body.detail], [422, 'Por favor, sube al menos una imagen del perro.'])
  assert.equal(body.errors, {
    images: 'Por favor, sube al menos una imagen del perro.',
    name: 'Nombre no válido. Solo se permiten letras, números, espacios y guiones.',
    alts: 'Hay más descripciones que fotos.',
  })
})

api('values that are not text, and more descriptions than photos, are refused', async (t) => {
  refused(await post(t, { alts: new Blob(['x']) }), 'El texto no es válido.', 'alts.0')
  refused(await post(t, { alts: 'x'.repeat(20_000) }), 'El texto es demasiado largo.', 'alts.0')
  refused(await post(t, { alts: ['Una', 'Otra'] }), 'Hay más descripciones que fotos.', 'alts')
})

api('other members cannot describe a dog’s photos', async (t) => {
  const added = dogOf(await post(t, { alts: 'De Ana' }))
  const fields = { images: added.images[0]!.url, alts: 'De Luis' }
  const stranger = await put(t, added, fields, t.luis.cookie)
  assert.equal(detailOf(stranger), [403, 'Solo su dueño o su descubridor puede editar este perro.'])
  assert.is((await put(t, added, fields, '')).status, 401)
  assert.equal(altsOf(await stored(t, added)), ['De Ana'])
})

// Doubtful words ------------------------------------------------------------------------------------------------------

api('a flagged description is reviewed, and an approval is final', async (t) => {
  const waiting = dogOf(await post(t, { name: 'Lobo', alts: 'El perro del gilipollas del quinto' }))
  assert.is(waiting.waits, true)
  assert.equal(altsOf(waiting), ['El perro del gilipollas del quinto'])
  assert.is((await call(t.server, `/api/dogs/${waiting.id}`)).status, 404)

  const open = dogOf(await post(t, { name: 'Nieve', images: [jpeg, other], alts: ['En la nieve', 'Come'] }))
  const urls = open.images.map(({ url }) => url)
  const edited = dogOf(await put(t, open, { images: urls, alts: ['En el parque', 'Se vende, 300 €'] }))
  assert.equal([edited.in_review, altsOf(edited)], [['images'], ['En el parque', 'Come']])

  const queue: string = (await call(t.server, '/admin?tab=denuncias', { cookie: t.admin.cookie })).body
  for (const text of ['Foto: El perro del gilipollas del quinto', 'Foto 2: Come', 'Foto: Se vende, 300 €'])
    assert.ok(queue.includes(text), text)
  const cases = await t.server.db
    .selectFrom('cases')
    .select(['id', 'edited_at as version'])
    .where('thing_id', '=', open.id)
    .execute()
  const json = { deed: 'restore', reason: '', days: null, version: cases[0]!.version }
  await call(t.server, `/api/admin/cases/${cases[0]!.id}`, { method: 'POST', json, cookie: t.admin.cookie })
  const back = await stored(t, open)
  assert.equal(altsOf(back), ['En el parque', 'Se vende, 300 €'])
  // What was let out is not asked about again when the photos change places.
  const [a, b] = back.images.map(({ url }) => url) as [string, string]
  const moved = dogOf(await put(t, open, { images: [b, a], alts: ['Se vende, 300 €', 'En la nieve'] }))
  assert.equal([moved.in_review, altsOf(moved)], [undefined, ['Se vende, 300 €', 'En la nieve']])
})

api('the admin reads the description of a reported photo, which it retains after hiding and restoring', async (t) => {
  const added = dogOf(await post(t, { name: 'Duna', images: [jpeg, other], alts: ['En el sofá', 'Palabras dudosas'] }))
  const as = (cookie: string) => (path: string, json: unknown) =>
    call(t.server, path, { method: 'POST', json, cookie }).then(({ status }) => assert.ok(status < 300, `${status}`))
  const queue = async (): Promise<string> =>
    (await call(t.server, '/admin?tab=denuncias', { cookie: t.admin.cookie })).body
  const report = { kind: 'photo', id: added.images[1]!.url, reason: 'otra', words: 'Mira lo que dice.' }
  await as(t.luis.cookie)('/api/reports', report)
  assert.ok((await queue()).includes('Foto: Palabras dudosas'))

  const { id, version } = await t.server.db
    .selectFrom('cases')
    .select(['id', 'edited_at as version'])
    .where('thing_id', '=', report.id)
    .executeTakeFirstOrThrow()
  const decide = as(t.admin.cookie)
  await decide(`/api/admin/cases/${id}`, { deed: 'hide', reason: 'Es una burla.', days: null })
  assert.equal(altsOf(await stored(t, added)), ['En el sofá'])
  assert.ok(
    (await call(t.server, '/admin?tab=denuncias&orden=cerradas', { cookie: t.admin.cookie })).body.includes(
      'Foto: Palabras dudosas',
    ),
  )
  await decide(`/api/admin/cases/${id}`, { deed: 'restore', reason: '', days: null, version })
  assert.equal(altsOf(await stored(t, added)), ['En el sofá', 'Palabras dudosas'])
})

// Where they are seen -------------------------------------------------------------------------------------------------

api('pages, cards and structured data contain the descriptions and follow their changes at once', async (t) => {
  const added = dogOf(await post(t, { name: 'Kira', images: [jpeg, other], alts: ['Kira salta "una" valla'] }))
  const page = async (path: string): Promise<string> => (await call(t.server, path)).body
  const said = 'alt="Kira salta &quot;una&quot; valla'
  const dogPage = await page(added.path)
  assert.ok(dogPage.includes(`${said}. Foto 1 de 2"`))
  assert.ok(dogPage.includes('alt="Kira, Beagle, en Jaca. Foto 2 de 2"'))
  assert.ok(dogPage.includes('"caption":"Kira salta \\"una\\" valla"'))
  // The picture that a link is shared with is the card, not this photo.
  assert.match(dogPage, /property="og:image:alt" content="(?!Kira salta)/)
  for (const path of ['/', '/razas/beagle']) assert.ok((await page(path)).includes(`${said}"`), path)

  await put(t, added, { images: added.images.map(({ url }) => url), alts: ['', 'Kira come'] })
  const after = await page(added.path)
  assert.ok(after.includes('alt="Kira, Beagle, en Jaca. Foto 1 de 2"'))
  assert.ok(after.includes('alt="Kira come. Foto 2 de 2"'))
  assert.ok(after.includes('"caption":"Kira, Beagle"'))
  for (const path of ['/', '/razas/beagle']) {
    const html = await page(path)
    assert.not.match(html, 'Kira salta')
    assert.ok(html.includes('alt="Kira, Beagle, en Jaca"'), path)
  }
})

// Taking away ---------------------------------------------------------------------------------------------------------

api('the account’s export contains them, and they are deleted with photo, dog and account', async (t) => {
  const eva = await signInMember(t.server, 'eva@ejemplo.es')
  const words = ['Irrepetible una', 'Irrepetible dos', 'Irrepetible tres']
  const one = dogOf(await post(t, { name: 'Uno', images: [jpeg, other], alts: words.slice(0, 2) }, eva.cookie))
  const two = dogOf(await post(t, { name: 'Dos', alts: words[2]! }, eva.cookie))
  const response = await fetch(`${t.server.url}/api/account/export`, { headers: { Cookie: eva.cookie } })
  const data = JSON.parse((await unzip(new Uint8Array(await response.arrayBuffer()))).get('datos.json')!.toString())
  assert.equal(data.perros.map((dog: SentDog & { name: string }) => [dog.name, altsOf(dog)]).sort(), [
    ['Dos', ['Irrepetible tres']],
    ['Uno', ['Irrepetible una', 'Irrepetible dos']],
  ])
  const left = () =>
    t.server.db
      .selectFrom('dog_images')
      .select('alt')
      .where('alt', 'like', 'Irrepetible%')
      .orderBy('alt')
      .execute()
      .then((rows) => rows.map(({ alt }) => alt))
  await put(t, one, { images: one.images[0]!.url }, eva.cookie)
  assert.equal(await left(), ['Irrepetible tres', 'Irrepetible una'])
  await call(t.server, `/api/dogs/${two.id}`, { method: 'DELETE', cookie: eva.cookie })
  assert.equal(await left(), ['Irrepetible una'])
  const json = await accountDeletionBody(t.server, eva.cookie)
  const gone = await call(t.server, '/api/account', { method: 'DELETE', json, cookie: eva.cookie })
  assert.ok(gone.status < 300, String(gone.status))
  assert.equal(await left(), [])
})
