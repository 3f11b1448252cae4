import { BucketPhotoStore } from '#features/storage/bucket-store.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { StoreGate } from '#features/storage/store-gate.ts'
import { type BucketMode, startBucket, type TestBucket } from '#tests/support/storage/bucket.ts'
import { assert, captureConsole, suite } from '#tests/support/suites.ts'

interface World {
  bucket: TestBucket
  store: BucketPhotoStore
  lines: ReturnType<typeof captureConsole>
}

const TIMEOUT_MS = 300
const photo = Buffer.from('photo')

const unavailable = suite<World>('unit/storage/bucket-unavailable')
unavailable.before.each(async (t) => {
  t.bucket = await startBucket()
  t.store = new BucketPhotoStore(t.bucket.settings, { timeoutMs: TIMEOUT_MS })
  t.lines = captureConsole()
})
unavailable.after.each(async (t) => {
  t.lines[Symbol.dispose]()
  await t.bucket.dispose()
})

async function failureOf(action: Promise<unknown>): Promise<StoreUnavailableError> {
  try {
    await action
  } catch (error) {
    assert.instance(error, StoreUnavailableError)
    return error as StoreUnavailableError
  }
  throw new Error('it did not fail')
}

const REASONS: [BucketMode, RegExp][] = [
  ['refused', /ECONNREFUSED/],
  ['error', /^500/],
  ['hanging', /no responde a tiempo/],
]
for (const [mode, reason] of REASONS)
  unavailable(`a bucket that is ${mode} fails every request with a sentence and a time to try again`, async (t) => {
    const { bucket } = t
    await t.store.put('photos/a.jpg', photo)
    await bucket.setMode(mode)
    const actions: ((store: BucketPhotoStore) => Promise<unknown>)[] = [
      (store) => store.put('photos/b.jpg', photo),
      (store) => store.get('photos/a.jpg'),
      (store) => store.size('photos/a.jpg'),
      (store) => store.delete('photos/a.jpg'),
      (store) => store.move('photos/a.jpg', 'photos/b.jpg'),
      (store) => store.copy('photos/a.jpg', 'photos/b.jpg'),
      (store) => store.list('photos/').next(),
    ]
    for (const action of actions) {
      const error = await failureOf(action(new BucketPhotoStore(bucket.settings, { timeoutMs: TIMEOUT_MS })))
      assert.match(error.reason, reason)
      assert.is(error.status, 503)
      assert.ok(error.retryAfter! > 0)
      assert.is(error.message, 'Ahora mismo no llegamos a donde se guardan las fotos. Inténtalo dentro de un rato.')
      assert.is(error.isSent, true)
    }
    await bucket.setMode('up')
    assert.equal(await bucket.listKeys(), ['photos/a.jpg'])
  })

unavailable('a request that fails at once is repeated once; one that is not answered in time is not', async (t) => {
  const count = async (mode: BucketMode) => {
    await t.bucket.setMode(mode)
    const before = t.bucket.countRequests()
    await failureOf(t.store.get('photos/a.jpg'))
    return t.bucket.countRequests() - before
  }
  assert.equal([await count('error'), await count('hanging')], [2, 1])
})

unavailable('after three failures in a row nothing is sent for a while, and nothing waits', async (t) => {
  await t.bucket.setMode('hanging')
  for (let i = 0; i < 3; i++) await failureOf(t.store.get('photos/a.jpg'))
  const before = t.bucket.countRequests()
  const error = await failureOf(t.store.put('photos/a.jpg', photo))
  assert.is(error.isSent, false)
  assert.throws(() => t.store.assertAvailable())
  assert.is(t.bucket.countRequests(), before)
})

unavailable('a store that is unavailable is tried again after five seconds, and open once it answers', () => {
  let now = 0
  const gate = new StoreGate(() => now)
  assert.equal([gate.addFailure(), gate.addFailure(), gate.isClosed], [true, false, false])
  gate.addFailure()
  assert.is(gate.isClosed, true)
  now = 5000
  assert.is(gate.isClosed, false)
  gate.addFailure()
  assert.is(gate.isClosed, true, 'the first failure closes it again')
  now = 10_000
  assert.equal([gate.addSuccess(), gate.addSuccess()], [true, false])
  gate.addFailure()
  assert.is(gate.isClosed, false)
})

unavailable('the log says once that the bucket is unavailable, and once that it is back', async (t) => {
  await t.bucket.setMode('error')
  for (let i = 0; i < 2; i++) await failureOf(t.store.get('photos/a.jpg'))
  await t.bucket.setMode('up')
  for (let i = 0; i < 2; i++) await t.store.get('photos/a.jpg')
  assert.equal(t.lines, [
    'perrario · el bucket de las fotos no responde (500)',
    'perrario · el bucket de las fotos vuelve a responder',
  ])
})

unavailable('a 404 of another server is a failure, and never a missing or deleted photo', async (t) => {
  await t.store.put('photos/a.jpg', photo)
  await t.bucket.setMode('replaced')
  const actions = [
    () => t.store.get('photos/a.jpg'),
    () => t.store.delete('photos/a.jpg'),
    () => t.store.copy('photos/a.jpg', 'photos/b.jpg'),
  ]
  for (const action of actions) assert.is((await failureOf(action())).reason, '404')
  await t.bucket.setMode('up')
  assert.equal(await t.bucket.listKeys(), ['photos/a.jpg'])
})

unavailable('wrong keys and a missing bucket are failures, and never a missing photo', async (t) => {
  const { settings } = t.bucket
  const withWrongKey = new BucketPhotoStore({ ...settings, accessKeyId: 'wrong' })
  assert.match((await failureOf(withWrongKey.get('photos/a.jpg'))).reason, /^403 InvalidAccessKeyId$/)
  const withoutBucket = new BucketPhotoStore({ ...settings, bucket: 'another' })
  const actions = [
    () => withoutBucket.get('photos/a.jpg'),
    () => withoutBucket.list('photos/').next(),
    () => withoutBucket.put('photos/a.jpg', photo),
  ]
  for (const action of actions) assert.match((await failureOf(action())).reason, /NoSuchBucket/)
})
