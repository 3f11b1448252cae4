import { getDog } from '#features/dogs/dog.server.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { findByPath, MAX_PATHS } from '#features/dogs/paths.server.ts'
import { assert, type Db, dbSuite, dog, member, refusal, seed } from '#tests/support/suites.ts'

const addresses = dbSuite('unit/dogs/paths')

const found = async (db: Db, path: string) => {
  const [, breed, name] = path.split('/')
  const at = await findByPath(db, breed!, name!)
  if (at.kind === 'found') return at.dog.id
  return at.kind === 'moved' ? `301 ${at.path}` : at.kind
}

addresses('namesakes of one breed are numbered by creation; other breeds start again', async ({ db }) => {
  const dogs = await seed(
    db,
    member(),
    dog({ name: 'Toby' }),
    dog({ name: 'tóby' }),
    dog({ name: 'Toby' }),
    dog({ name: 'Toby', breed: 'Bóxer' }),
  )
  assert.equal(
    dogs.slice(1).map((d) => (d as { path: string }).path),
    ['/beagle/toby', '/beagle/toby-2', '/beagle/toby-3', '/boxer/toby'],
  )
  assert.is(await found(db, '/beagle/toby-2'), dogs[2].id)
})

addresses('a dog without a name is sin-nombre; a mix has mestizo in its address', async ({ db }) => {
  const [, a, b, c] = await seed(
    db,
    member(),
    dog({ name: '???' }),
    dog({ name: '-' }),
    dog({ name: 'Nala', breed: 'Medio podenco' }),
  )
  assert.equal([a.path, b.path, c.path], ['/beagle/sin-nombre', '/beagle/sin-nombre-2', '/mestizo/nala'])
})

addresses('suffix 1 means none, and capitals and accents lead to the stored spelling', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  assert.is(await found(db, '/beagle/toby'), toby.id)
  for (const other of ['/beagle/toby-1', '/Beagle/Toby', '/BEAGLE/tóby', '/beagle/TOBY-1', '/beagle/toby-'])
    assert.is(await found(db, other), '301 /beagle/toby', other)
  for (const none of ['/beagle/toby-2', '/beagle/tob', '/boxer/toby', '/beagle/-1', '/beagle/🐶', '/dragon/toby'])
    assert.is(await found(db, none), 'missing', none)
})

addresses('a name that itself ends in a number is looked up unsplit', async ({ db }) => {
  const [, plain, two, secondToby, one] = await seed(
    db,
    member(),
    dog({ name: 'Toby' }),
    dog({ name: 'Toby 2' }),
    dog({ name: 'Toby' }),
    dog({ name: 'Toby-1' }),
  )
  assert.equal([plain.path, two.path], ['/beagle/toby', '/beagle/toby-2'])
  assert.is(secondToby.path, '/beagle/toby-3')
  assert.is(await found(db, '/beagle/toby-2'), two.id)
  assert.is(await found(db, '/beagle/toby-1'), one.id)
  const [anotherTwo] = await seed(db, dog({ name: 'Toby 2' }))
  assert.is(anotherTwo.path, '/beagle/toby-2-2')
})

addresses('after a rename the old address leads to the new one, and no other dog receives it', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  const renamed = await updateDog(db, ana, toby.id, { name: 'Tobías', breed: 'Bóxer' })
  assert.is(renamed.path, '/boxer/tobias')
  assert.is(await found(db, '/beagle/toby'), '301 /boxer/tobias')
  assert.is(await found(db, '/beagle/toby-1'), '301 /boxer/tobias')
  const [other] = await seed(db, dog({ name: 'Toby' }))
  assert.is(other.path, '/beagle/toby-2')
  const back = await updateDog(db, ana, toby.id, { name: 'Toby', breed: 'Beagle' })
  assert.is(back.path, '/beagle/toby')
  assert.is(await found(db, '/boxer/tobias'), '301 /beagle/toby')
  assert.is(await found(db, '/beagle/toby'), toby.id)
})

addresses('an edit that leaves name and breed, or changes only their spelling, keeps the address', async ({ db }) => {
  const [ana, , second] = await seed(db, member(), dog({ name: 'Toby' }), dog({ name: 'Toby' }))
  assert.is((await updateDog(db, ana, second.id, { weight: 3 })).path, '/beagle/toby-2')
  assert.is((await updateDog(db, ana, second.id, { name: 'TÓBY' })).path, '/beagle/toby-2')
})

addresses('a deleted dog’s address is 410 and its number is not reused', async ({ db }) => {
  const [, first, second] = await seed(db, member(), dog({ name: 'Toby' }), dog({ name: 'Toby' }))
  await db.deleteFrom('dogs_all').where('id', 'in', [first.id, second.id]).execute()
  assert.is(await found(db, '/beagle/toby'), 'gone')
  assert.is(await found(db, '/beagle/Toby-1'), 'gone')
  assert.is(await found(db, '/beagle/toby-2'), 'gone')
  const [third] = await seed(db, dog({ name: 'Toby' }))
  assert.is(third.path, '/beagle/toby-3')
})

addresses('deleting the older namesake changes no other address', async ({ db }) => {
  const [, first, second] = await seed(db, member(), dog({ name: 'Toby' }), dog({ name: 'Toby' }))
  await db.deleteFrom('dogs_all').where('id', '=', first.id).execute()
  assert.is((await getDog(db, second.id)).path, '/beagle/toby-2')
})

addresses('no two dogs ever share an address, whatever their names', async ({ db }) => {
  const [ana] = await seed(db, member())
  const names = ['Toby', 'Toby 2', 'Toby 3', 'Toby 2 2', 'Toby 4', 'Toby 1', '???']
  const seen = new Map<string, string>()
  const ids: string[] = []
  // A fixed sequence, so that a failure repeats itself.
  let state = 7
  const pick = (n: number) => (state = (state * 48_271) % 2_147_483_647) % n
  for (let i = 0; i < 250; i++) {
    const name = names[pick(names.length)]!
    const id = ids[pick(ids.length || 1)]
    const made =
      id && pick(3) === 0
        ? await updateDog(db, ana, id, { name })
        : (await seed(db, dog({ name, owner_id: ana.id })))[0]
    if (!ids.includes(made.id)) ids.push(made.id)
    const before = seen.get(made.path)
    assert.ok(before === undefined || before === made.id, `${made.path} was ${before}'s`)
    seen.set(made.path, made.id)
    assert.is(await found(db, made.path), made.id)
  }
})

addresses('a dog has at most MAX_PATHS addresses, and may return to any of them', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  const letters = (i: number) => String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26))
  for (let i = 1; i < MAX_PATHS; i++) await updateDog(db, ana, toby.id, { name: `Toby ${letters(i)}` })
  const [status, detail] = await refusal(updateDog(db, ana, toby.id, { name: 'Lola' }))
  assert.is(status, 409)
  assert.match(detail, /demasiadas veces de nombre/)
  assert.is((await updateDog(db, ana, toby.id, { name: 'Toby' })).path, '/beagle/toby')
  assert.is(await found(db, '/beagle/toby-ab'), '301 /beagle/toby')
  // Its other data can still change.
  assert.is((await updateDog(db, ana, toby.id, { zone: 'Jaca' })).zone, 'Jaca')
})
