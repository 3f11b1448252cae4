import { listDogs } from '#features/dogs/list/list.server.ts'
import { SORTS } from '#features/dogs/dogs.ts'
import { assert, dbSuite, dog, member, seed, update } from '#tests/support/suites.ts'

const order = dbSuite('unit/dogs/list-order')

order('a dog that changes its place between two pages is on one of them, or the page says so', async ({ db }) => {
  await seed(db, member())
  const dogs = []
  for (let n = 0; n < 6; n++) dogs.push(...(await seed(db, dog({ weight: 10 + n, age: 1 + n }))))
  /** Sets the figure of a dog: 0 the lowest of all, 9 the highest. */
  const setFigure = (id: string, value: number) =>
    update(db, 'dogs_all', { id }, { votes: value, weight: value * 5, age_months: value * 50 })
  for (const sort of SORTS.filter((each) => each !== 'recent')) {
    const [above, below] = sort.endsWith('desc') ? [9, 0] : [0, 9]
    const changes: Record<string, (first: string, last: string) => Promise<unknown>> = {
      nothing: async () => {},
      'one comes up': (_, last) => setFigure(last, above),
      'one goes down': (first) => setFigure(first, below),
      'two change places': async (first, last) => [await setFigure(first, below), await setFigure(last, above)],
    }
    for (const [what, change] of Object.entries(changes)) {
      for (const [n, { id }] of dogs.entries()) await setFigure(id, 2 + n)
      const first = await listDogs(db, { sort, limit: 3 })
      await change(first.dogs[0]!.id, (await listDogs(db, { sort, limit: 6 })).dogs[5]!.id)
      const second = await listDogs(db, { sort, limit: 3, cursor: first.nextCursor! })
      assert.is(second.reordered ?? false, what !== 'nothing', `${sort}: ${what}`)
    }
    // Figures that change among the dogs of a page leave every dog on its page.
    for (const [n, { id }] of dogs.entries()) await setFigure(id, 2 + n)
    const first = await listDogs(db, { sort, limit: 3 })
    await setFigure(first.dogs[0]!.id, above)
    assert.not.ok((await listDogs(db, { sort, limit: 3, cursor: first.nextCursor! })).reordered, sort)
  }
})
