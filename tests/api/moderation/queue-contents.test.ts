import { type DogInput, FREE_TEXT_NAMES, type FreeText } from '#features/dogs/write/dog-fields.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { MAX_PHOTOS, photoName } from '#features/photos/photos.ts'
import type { CaseAction } from '#features/reports/decisions/decisions.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, call, formOf, signInMember, startServer, suite } from '#tests/support/suites.ts'

// Nobody but the admin sees what waits or is hidden, and its own pages answer the admin 404: the queue shows all of what
// «Publicar» makes public.

const ADMIN = 'admin@ejemplo.es'
const FLAGGED = 'Vendo cachorros por 300 euros.'
const server = await startServer({ ADMIN_EMAIL: ADMIN })
const ana = await signInMember(server, 'ana@ejemplo.es')
const luis = await signInMember(server, 'luis@ejemplo.es')
const admin = await signInMember(server, ADMIN)

const contents = suite('api/moderation/queue-contents')
contents.after(() => server.dispose())

/** What a person sends in each field of a dog, and how the queue shows it; null for what is no part of the dog's page. */
const FIELDS: Record<keyof DogInput, [sent: string, shown: string | null]> = {
  name: ['Canario', 'Canario'],
  breed: ['Cruce de canario y jilguero', 'Cruce de canario y jilguero'],
  age: ['7', '7 años'],
  age_unit: ['años', '7 años'],
  weight: ['37.5', '37,5 kg'],
  size: ['gigante', 'tamaño gigante'],
  zone: ['Canariozona, llamad al seis cero cero', 'Canariozona, llamad al seis cero cero'],
  is_adopted: ['true', 'adoptado'],
  ...(Object.fromEntries(
    FREE_TEXT_NAMES.map((name) => [
      name,
      [`${`${FLAGGED}${' Le encanta el parque.'.repeat(30)}`.slice(0, 480)} Canario${name}`, ` Canario${name}`],
    ]),
  ) as Record<FreeText, [string, string]>),
  relationship: ['owner', null],
}
/** Texts that the filter lets pass. */
const UNDOUBTED = Object.fromEntries(FREE_TEXT_NAMES.map((name) => [name, `Es muy buena. Canario${name}`]))
const SHOWN = Object.values(FIELDS).flatMap(([, shown]) => shown ?? [])
const alts = Array.from({ length: MAX_PHOTOS }, (_, n) => `Canariofoto ${n} de diez`)
const ALTS_SHOWN = alts.map((alt, n) => `Foto ${n + 1}: ${alt}`)

async function addDog(fields: Record<string, string> = {}): Promise<{ id: string; waits?: true; urls: string[] }> {
  const images = await Promise.all(alts.map(async (_, n) => new Blob([await photo(n * 20)])))
  const sent = Object.fromEntries(Object.entries(FIELDS).map(([name, [value]]) => [name, value]))
  const form = formOf({ ...sent, ...fields, images, alts })
  const { status, body } = await call(server, '/api/dogs', { method: 'POST', cookie: ana.cookie, form })
  assert.is(status, 201, JSON.stringify(body))
  const { id, waits, images: stored } = body.dog as { id: string; waits?: true; images: { url: string }[] }
  // One that waits has the addresses of its hidden files.
  return { id, ...(waits && { waits }), urls: stored.map(({ url }) => url.replace('/api/held-photos/', '/photos/')) }
}

async function write(path: string, json: unknown, cookie = ana.cookie, method = 'POST') {
  const { status, body } = await call(server, path, { method, cookie, json })
  assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(body)}`)
  return body
}

const findCase = (kind: TargetKind, id: string) =>
  server.db
    .selectFrom('cases')
    .select(['id', 'edited_at as version'])
    .where('kind', '=', kind)
    .where('thing_id', '=', id)
    .executeTakeFirstOrThrow()
const report = (kind: TargetKind, id: string) =>
  write('/api/reports', { kind, id, reason: 'spam', words: '' }, luis.cookie)

async function decide(kind: TargetKind, id: string, deed: CaseAction): Promise<void> {
  const { id: caseId, version } = await findCase(kind, id)
  await write(`/api/admin/cases/${caseId}`, { deed, reason: 'Motivo', days: null, version }, admin.cookie)
}

const tab = async (query: string): Promise<string> =>
  (await call(server, `/admin?tab=${query}`, { cookie: admin.cookie })).body

/** The HTML of one case, open or closed. */
async function caseHtml(kind: TargetKind, id: string): Promise<string> {
  const { id: caseId } = await findCase(kind, id)
  for (const order of ['nuevas', 'cerradas']) {
    const parts = (await tab(`denuncias&orden=${order}`)).split('<li class="panel case" ')
    const found = parts.find((part) => part.startsWith(`id="c-${caseId}"`))
    if (found) return found
  }
  throw new Error(`no case of ${kind} ${id} in the queue`)
}

function assertShows(html: string, words: readonly string[]): void {
  for (const each of words) assert.ok(html.includes(each), `«${each}» is missing in ${html.slice(0, 3000)}`)
}

/** Each photo as a small image that loads when it is near, and in full behind a link. */
function assertShowsPhotos(html: string, urls: readonly string[]): void {
  const images = html.match(/<img [^>]*>/g) ?? []
  assert.is(images.length, urls.length)
  for (const url of urls) {
    const image = images.find((tag) => tag.includes(photoName(url)!))
    assert.match(image ?? '', 'loading="lazy"', url)
    assert.match(html, new RegExp(`<a href="[^"]*${photoName(url)!}"`))
  }
}

contents('all of a dog is in its case, while it waits, while it is reported and once it is hidden', async () => {
  const waiting = await addDog()
  assert.is(waiting.waits, true)
  const html = await caseHtml('dog', waiting.id)
  assertShows(html, [...SHOWN, ...ALTS_SHOWN])
  assertShowsPhotos(html, waiting.urls)

  const reported = await addDog(UNDOUBTED)
  await report('dog', reported.id)
  for (const deed of ['note', 'hide'] as const) {
    await decide('dog', reported.id, deed)
    const shown = await caseHtml('dog', reported.id)
    assertShows(shown, [...SHOWN, ...ALTS_SHOWN])
    assertShowsPhotos(shown, reported.urls)
  }
})

contents('every field of the form and its answer is tested', () => {
  const parsed = dogSchema.parse(Object.fromEntries(Object.entries(FIELDS).map(([name, [sent]]) => [name, sent])))
  assert.equal(Object.keys(parsed).toSorted(), Object.keys(FIELDS).toSorted())
})

contents('all of a comment is in its case and in the log, to the last of 300 characters', async () => {
  const { id: dogId } = await addDog(UNDOUBTED)
  const long = (start: string) => `${`${start}${' Qué perro tan bonito.'.repeat(20)}`.slice(0, 280)}canariocomentario`
  const addComment = async (start: string) =>
    (await write(`/api/dogs/${dogId}/comments`, { content: long(start) })).comment.id as string
  const waiting = await addComment(FLAGGED)
  const reported = await addComment('Hola.')
  await report('comment', reported)
  for (const [id, start] of [
    [waiting, FLAGGED],
    [reported, 'Hola.'],
  ] as const) {
    assertShows(await caseHtml('comment', id), [long(start)])
    await decide('comment', id, 'hide')
    assertShows(await caseHtml('comment', id), [long(start)])
    assertShows(await tab('registro'), [long(start)])
  }
})

contents('all of a photo and of a profile is in its case, public and hidden', async () => {
  const { urls } = await addDog(UNDOUBTED)
  await report('photo', urls[3]!)
  const { id, alias, emoji } = await signInMember(server, 'marta@ejemplo.es')
  await report('profile', id)
  for (const deed of ['note', 'hide'] as const) {
    await decide('photo', urls[3]!, deed)
    await decide('profile', id, deed)
    const html = await caseHtml('photo', urls[3]!)
    assertShows(html, [`Foto: ${alts[3]!}`])
    assertShowsPhotos(html, [urls[3]!])
    assertShows(await caseHtml('profile', id), [`${emoji} ${alias}`])
  }
})

contents('reported comments and photos of a hidden dog are in their cases, with what the admin can do', async () => {
  const eva = await signInMember(server, 'eva@ejemplo.es')
  const { id: dogId, urls } = await addDog(UNDOUBTED)
  const content = 'Un comentario que alguien ha denunciado'
  const comment = (await write(`/api/dogs/${dogId}/comments`, { content }, eva.cookie)).comment.id
  await report('comment', comment)
  await report('photo', urls[1]!)
  await report('dog', dogId)
  await decide('dog', dogId, 'hide')
  const cases = [await caseHtml('comment', comment), await caseHtml('photo', urls[1]!)]
  assertShows(cases[0]!, [content, eva.alias])
  assertShows(cases[1]!, [`Foto: ${alts[1]!}`, ana.alias])
  assertShowsPhotos(cases[1]!, [urls[1]!])
  for (const html of cases) {
    assertShows(html, ['Su perro está oculto: esto tampoco se ve, y vuelve con él.', 'Oculto'])
    for (const deed of ['hide', 'delete', 'dismiss']) assertShows(html, [`name="deed" value="${deed}"`])
    assert.not.match(html, 'value="restore"')
  }
  await decide('comment', comment, 'hide')
  const hidden = await caseHtml('comment', comment)
  assertShows(hidden, [content, 'Su perro está oculto: para publicar esto, publica antes al perro.'])
  assert.not.match(hidden, 'value="restore"')
  const { headers } = await fetch(`${server.url}/api/held-photos/${photoName(urls[1]!)}`, {
    headers: { Cookie: admin.cookie },
  })
  assert.is(headers.get('content-type'), 'image/jpeg')
})
