import { preparePhoto, storePhoto } from '#features/photos/photos.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { renderPhoto, RenderQueueFull } from '#features/photos/render/render.server.ts'
import { CardWithdrawn, createCardQueue, getCard, isCardCached, MAX_WAITING } from '#features/share/cards.server.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

const queue = folderSuite('unit/share/card-queue')

const TOBY = {
  kind: 'cromo' as const,
  name: 'Toby',
  breed: 'Beagle',
  breedSlug: 'beagle',
  age: null,
  weight: null,
  zone: null,
  photo: '',
  style: null,
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** A queue whose tasks end when they are told to, one by one. */
function openManualQueue() {
  const cards = createCardQueue()
  const started: string[] = []
  const refused: string[] = []
  let running = 0
  let finish = () => {}
  const add = (name: string, network = 'a') => {
    const work = async () => {
      assert.is(++running, 1, 'one at a time')
      started.push(name)
      await new Promise<void>((resolve) => (finish = resolve))
      running--
    }
    cards.run(work, network).catch((error: unknown) => {
      assert.instance(error, RenderQueueFull)
      refused.push(name)
    })
  }
  /** Ends the running task once it runs, and gives the next one the time to begin. */
  const finishOne = async () => {
    await nextTurn()
    finish()
    await nextTurn()
  }
  return { cards, started, refused, add, finishOne }
}

queue('renders one at a time, and networks take turns', async () => {
  const { started, add, finishOne } = openManualQueue()
  for (let n = 0; n < 10; n++) add(`a${n}`)
  add('b0', 'b')
  add('c0', 'c')
  add('c1', 'c')
  for (let n = 0; n < 6; n++) await finishOne()
  assert.equal(started, ['a0', 'a1', 'b0', 'c0', 'a2', 'c1', 'a3'])
})

queue('a full queue refuses the newest of the largest network, and no other', async () => {
  const { cards, started, refused, add, finishOne } = openManualQueue()
  for (let n = 0; n < 1000; n++) add(`a${n}`)
  assert.is(cards.waiting, MAX_WAITING)
  add('b0', 'b')
  assert.is(cards.waiting, MAX_WAITING)
  await finishOne()
  await finishOne()
  assert.equal(started, ['a0', 'a1', 'b0'])
  assert.is(refused.length, 1000 - MAX_WAITING)
  assert.not.ok(refused.includes('b0'))
})

queue('a failing task passes its turn on', async () => {
  const cards = createCardQueue()
  const failed = cards.run(() => Promise.reject(new Error('broken')))
  const next = cards.run(async () => 'next')
  await failed.then(assert.unreachable, ({ message }) => assert.is(message, 'broken'))
  assert.is(await next, 'next')
})

queue('a task withdrawn while it waits is not run; a running one completes', async () => {
  const cards = createCardQueue()
  const started: string[] = []
  let finish = () => {}
  const add = (name: string, signal?: AbortSignal) =>
    cards.run(
      async () => {
        started.push(name)
        await new Promise<void>((resolve) => (finish = resolve))
        return name
      },
      'a',
      signal,
    )
  const running = new AbortController()
  const waiting = new AbortController()
  const first = add('first', running.signal)
  const second = add('second', waiting.signal)
  const third = add('third')
  await nextTurn()
  running.abort()
  waiting.abort()
  await second.then(assert.unreachable, (error: unknown) => assert.instance(error, CardWithdrawn))
  await add('late', AbortSignal.abort()).then(assert.unreachable, (error) => assert.instance(error, CardWithdrawn))
  assert.is(cards.waiting, 1)
  finish()
  assert.is(await first, 'first')
  await nextTurn()
  finish()
  assert.is(await third, 'third')
  assert.equal(started, ['first', 'third'])
})

queue('a card is rendered while any request waits for it, and not once the last has disconnected', async ({ dir }) => {
  const named = (name: string) => ({ ...TOBY, name })
  const ask = (name: string, signal?: AbortSignal) => getCard(named(name), dir, 'a', signal)
  const hangUp = new AbortController()
  const before = ask('Before')
  const lost = [ask('Lost', hangUp.signal), ask('Lost', hangUp.signal), ask('Again', hangUp.signal)]
  const shared = [ask('Shared', hangUp.signal), ask('Shared')]
  const after = ask('After')
  hangUp.abort()
  // A request for the same card, at once after the last one hung up, begins anew.
  const again = ask('Again')
  for (const card of lost)
    await card.then(
      () => assert.unreachable(),
      (error: unknown) => assert.instance(error, CardWithdrawn),
    )
  await Promise.all([before, ...shared, after, again])
  const cached = ['Before', 'Lost', 'Shared', 'After', 'Again'].map((name) => isCardCached(named(name), dir))
  assert.equal(cached, [true, false, true, true, true])
})

queue('a requested photo does not wait behind thirty cards', async ({ dir }) => {
  const stored = await storePhoto(dir, crypto.randomUUID(), await preparePhoto(await photo()))
  let cardsDone = 0
  const cards = Array.from({ length: 30 }, async (_, n) => {
    await getCard({ ...TOBY, name: `Toby ${n}` }, dir)
    cardsDone++
  })
  const picture = await renderPhoto(dir, photoName(stored.url)!, { box: 'small', scale: 1 }, 'webp')
  assert.ok(picture)
  assert.ok(cardsDone < 15, `${cardsDone} cards came first`)
  await Promise.all(cards)
})
