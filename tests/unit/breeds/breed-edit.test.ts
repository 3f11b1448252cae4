import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { breedHistory, editBreed, mayEditBreeds, undoBreedEdit } from '#features/breeds/edit.server.ts'
import { breedEditSchema, type BreedTexts, FIELD_NAMES } from '#features/breeds/edit.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, captureConsole, type Db, dbSuite, insert, pluck, refusalError } from '#tests/support/suites.ts'

const ADMIN = { user: { id: 'a1', email: 'Admin@Ejemplo.es' }, adminEmail: 'admin@ejemplo.es' }
const MEMBER = { user: { id: 'm1', email: 'ana@ejemplo.es' }, adminEmail: 'admin@ejemplo.es' }

const edit = dbSuite('unit/breeds/breed-edit', {}, async ({ db }) => {
  await db.insertInto('users').values({ id: 'a1', email: 'admin@ejemplo.es', created_at: 0 }).execute()
})

async function textsOf(db: Db, slug: string): Promise<BreedTexts> {
  const breed = (await getCatalogue(db)).bySlug.get(slug)!
  return Object.fromEntries(FIELD_NAMES.map((field) => [field, breed[field]])) as BreedTexts
}

const assertRefused = async (action: Promise<unknown>, status: number) => {
  const error = await refusalError(action)
  assert.is(error.status, status)
  return error
}

edit('an edit overrides the file at once and is stored as history', async ({ db }) => {
  const old = await textsOf(db, 'beagle')
  assert.ok(await editBreed(db, ADMIN, 'beagle', { ...old, temperamento: 'alegre, tenaz, amable' }))
  const now = (await getCatalogue(db)).bySlug.get('beagle')!
  assert.equal([now.temperamento, now.pelaje], ['alegre, tenaz, amable', old.pelaje])
  const [saved] = await breedHistory(db, ADMIN, 'beagle')
  assert.equal(saved!.changes, { temperamento: 'alegre, tenaz, amable' })
  assert.equal(saved!.before, { temperamento: old.temperamento })
})

edit('undo reverts one save after the other, and retains both rows', async ({ db }) => {
  const old = await textsOf(db, 'beagle')
  await editBreed(db, ADMIN, 'beagle', { ...old, pelaje: 'corto' })
  await editBreed(db, ADMIN, 'beagle', { ...old, pelaje: 'muy corto' })
  assert.ok(await undoBreedEdit(db, ADMIN, 'beagle'))
  assert.is((await textsOf(db, 'beagle')).pelaje, 'corto')
  assert.ok(await undoBreedEdit(db, ADMIN, 'beagle'))
  assert.equal(await textsOf(db, 'beagle'), old)
  assert.not.ok(await undoBreedEdit(db, ADMIN, 'beagle'))
  assert.equal(pluck(await breedHistory(db, ADMIN, 'beagle'), 'undone'), [true, true])
})

edit('a new name moves the breed in the album and keeps its address and number', async ({ db }) => {
  const old = await textsOf(db, 'beagle')
  await editBreed(db, ADMIN, 'beagle', { ...old, nombre_castellano: 'Zorrero inglés pequeño' })
  const { breeds, bySlug } = await getCatalogue(db)
  assert.is(bySlug.get('beagle')!.nombre_castellano, 'Zorrero inglés pequeño')
  assert.is(breeds.at(-1)!.slug, 'beagle')
  assert.is(bySlug.get('beagle')!.number, 19)
  assert.is(new Set(breeds.map((b) => b.number)).size, breeds.length)
})

edit('a save without changes writes nothing', async ({ db }) => {
  assert.not.ok(await editBreed(db, ADMIN, 'beagle', await textsOf(db, 'beagle')))
  assert.equal(await breedHistory(db, ADMIN, 'beagle'), [])
})

edit('the action itself refuses visitors, members and an unset admin', async ({ db }) => {
  const texts = { ...(await textsOf(db, 'beagle')), pelaje: 'azul' }
  await assertRefused(editBreed(db, { user: null, adminEmail: ADMIN.adminEmail }, 'beagle', texts), 401)
  await assertRefused(editBreed(db, MEMBER, 'beagle', texts), 403)
  await assertRefused(editBreed(db, { user: ADMIN.user, adminEmail: undefined }, 'beagle', texts), 403)
  await assertRefused(undoBreedEdit(db, MEMBER, 'beagle'), 403)
  await assertRefused(breedHistory(db, MEMBER, 'beagle'), 403)
  assert.not.ok(mayEditBreeds({ user: { id: 'x', email: null }, adminEmail: ADMIN.adminEmail }))
})

edit('another breed’s name and an unknown breed are refused', async ({ db }) => {
  const texts = await textsOf(db, 'beagle')
  const error = await assertRefused(
    editBreed(db, ADMIN, 'beagle', { ...texts, nombre_castellano: 'pastor ALEMÁN' }),
    422,
  )
  assert.is(error.errors!.nombre_castellano, 'Ya hay otra raza que se llama Pastor alemán.')
  await assertRefused(editBreed(db, ADMIN, 'no-existe', texts), 404)
})

edit('an invalid override is ignored', async ({ db }) => {
  const row = { before: '{}', user_id: null, created_at: 1, undone_at: null, breed_slug: 'beagle' }
  await insert(db, 'breed_overrides', [
    { ...row, id: '1', changes: '{"pelaje":' },
    { ...row, id: '2', changes: '{"pelaje":7,"temperamento":"alegre","peso_kg_max":900}' },
  ])
  using _ = captureConsole()
  const beagle = (await getCatalogue(db)).bySlug.get('beagle')!
  assert.is(beagle.temperamento, 'alegre')
  assert.is.not(beagle.peso_kg_max, 900)
})

edit('the form shows the errors', () => {
  const good = {
    nombre_castellano: ' Beagle ',
    nombre_original: 'Beagle',
    temperamento: 'alegre',
    pelaje: 'corto',
    pais_origen: '',
    proposito_original: 'caza',
  }
  assert.is(breedEditSchema.parse(good).nombre_castellano, 'Beagle')
  const message = (texts: object) => breedEditSchema.safeParse({ ...good, ...texts }).error!.issues[0]!.message
  assert.is(message({ nombre_castellano: '<>' }), 'El nombre no puede estar vacío.')
  assert.is(
    message({ nombre_castellano: 'Beagle!' }),
    'Raza no válida. Solo se permiten letras, números, espacios y guiones.',
  )
  assert.is(message({ pelaje: 'x'.repeat(161) }), 'Como máximo 160 caracteres.')
})

edit('what one node saves or undoes another shows at once', async () => {
  await using first = freshPostgresDb()
  await first.insertInto('users').values({ id: 'a1', email: 'admin@ejemplo.es', created_at: 0 }).execute()
  await using second = openPostgres(await postgresUrlOf(first), { maxConnections: 2 })
  const old = await textsOf(second, 'beagle')
  assert.is(await getCatalogue(second), await getCatalogue(second))
  await editBreed(first, ADMIN, 'beagle', { ...old, pelaje: 'corto' })
  assert.is((await textsOf(second, 'beagle')).pelaje, 'corto')
  await undoBreedEdit(first, ADMIN, 'beagle')
  assert.equal(await textsOf(second, 'beagle'), old)
})
