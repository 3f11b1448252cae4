import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { editDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { endLostCase } from '#features/lost/end-case.server.ts'
import { findOpenCase } from '#features/lost/open-cases.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { AppError } from '#lib/errors.ts'
import { freshDb } from '#tests/support/db.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { refusal } from '#tests/support/refusal.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

interface World {
  db: Db
  dir: string
  /** Looks for Toby. */
  ana: CurrentUser
  /** His discoverer. */
  luis: CurrentUser
  toby: Dog
}
const editing = suite<World>('unit/lost/edited-while-lost')
editing.before.each(async (t) => {
  t.db = freshDb()
  t.dir = mkdtempSync(join(tmpdir(), 'perrario-lost-'))
  ;[t.luis, t.ana] = await seed(t.db, member(), member())
  const people = { owner_id: t.ana.id, discoverer_id: t.luis.id }
  ;[t.toby] = await seed(t.db, dog({ name: 'Toby', description: 'Canela', photos: 2, ...people }))
  await addLostCase(t.db, { dog_id: t.toby.id, owner_id: t.ana.id })
})
editing.after.each(async ({ db, dir }) => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const SALE = 'Se vende por 300 €'
const REFUSAL =
  'Mientras se busca a este perro no podemos guardar ese texto: parece un anuncio de venta o un insulto, y habría que ocultar la ficha para revisarlo.'
const textsOf = ({ db, toby }: World) =>
  db.selectFrom('dogs').select(['name', 'description', 'zone']).where('id', '=', toby.id).executeTakeFirst()

editing('words of the filter are refused to its people, and the dog stays in sight with its texts', async (t) => {
  for (const user of [t.luis, t.ana])
    for (const patch of [{ description: SALE }, { name: 'Gilipollas' }, { zone: SALE }, { breed: SALE }]) {
      const error = await editDog(t.db, t.dir, user, t.toby.id, patch).catch((caught: unknown) => caught)
      assert.ok(error instanceof AppError)
      assert.equal([error.status, error.errors], [422, { [Object.keys(patch)[0]!]: REFUSAL }])
    }
  assert.equal(await textsOf(t), { name: 'Toby', description: 'Canela', zone: null })
  assert.ok(await findOpenCase(t.db, t.toby.id))
  for (const table of ['held', 'cases'] as const)
    assert.equal(await t.db.selectFrom(table).select('dog_id').execute(), [], table)
  await endLostCase(t.db, t.ana, t.toby.id, 'home')
  assert.is((await editDog(t.db, t.dir, t.ana, t.toby.id, { description: SALE })).waits, true)
})

editing('so are descriptions of its photos', async (t) => {
  const urls = t.toby.images.map(({ url }) => url)
  const replace = (alts: string[]) => replaceGallery(t.db, t.dir, t.luis, t.toby.id, urls, { alts })
  assert.equal(await refusal(replace(['De lado', SALE])), [422, REFUSAL])
  assert.ok(await findOpenCase(t.db, t.toby.id))
  await replace(['De lado', 'De frente'])
  await endLostCase(t.db, t.ana, t.toby.id, 'home')
  assert.is((await replace(['De lado', SALE])).dog.waits, true)
})

editing('a text that the admin has approved stays, and the others change', async (t) => {
  await t.db.updateTable('dogs').set({ description: SALE }).where('id', '=', t.toby.id).execute()
  const edited = await editDog(t.db, t.dir, t.ana, t.toby.id, { description: SALE, zone: 'Getafe' })
  assert.equal([edited.waits, edited.zone], [undefined, 'Getafe'])
})

editing('the search of an owner who gave the dog up does not count', async (t) => {
  await t.db.updateTable('dogs').set({ owner_id: null }).where('id', '=', t.toby.id).execute()
  assert.is((await editDog(t.db, t.dir, t.luis, t.toby.id, { description: SALE })).waits, true)
})

editing.run()
