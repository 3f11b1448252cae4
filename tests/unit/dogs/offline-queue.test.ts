import { EMPTY_VALUES } from '#features/dogs/form/form-values.ts'
import { afterSend, findObstacle } from '#features/dogs/queue/after-send.ts'
import { toQueuedDog, type QueuedDog } from '#features/dogs/queue/queue.ts'
import { isDue, isListedFor, mayOpen, nextTryDelay, resetForRetry } from '#lib/queued-sends.ts'
import { assert, suite } from '#tests/support/suites.ts'

const NOW = 1_800_000_000_000
const waiting = (change: Partial<QueuedDog> = {}): QueuedDog => ({
  ...toQueuedDog(
    {
      id: 'a',
      values: { ...EMPTY_VALUES, name: 'Nube', breed: 'Beagle' },
      photos: 2,
      member: 'ana',
      isUncertain: false,
      alts: [],
      hasOtherPhotos: false,
    },
    NOW,
  ),
  ...change,
})
const refused = (status: number, message = 'No.') => ({ kind: 'refused' as const, status, message })

const queue = suite('unit/dogs/offline-queue')

queue('a new entry is due at once and has no error', () => {
  assert.ok(isDue(waiting(), NOW))
  assert.is(waiting().problem, '')
})

queue('after a lost response it stays queued, marked as possibly received by the server', () => {
  const after = afterSend(waiting(), { kind: 'broken', message: '' }, NOW)
  assert.is(after.state, 'waiting')
  assert.is(after.isUncertain, true)
  assert.ok(isDue(after, NOW), 'the network decides, not the clock')
})

queue('after three server failures it waits for the person, with increasing pauses before', () => {
  const first = afterSend(waiting(), refused(500), NOW)
  assert.is(first.state, 'waiting')
  assert.not.ok(isDue(first, NOW))
  const pause = nextTryDelay([first], NOW, 30_000)!
  const second = afterSend(first, refused(503), NOW)
  assert.ok(nextTryDelay([second], NOW, 30_000)! > pause)
  const third = afterSend(second, refused(502), NOW)
  assert.is(third.state, 'stuck')
  assert.is(third.problem, 'El servidor no ha podido guardarlo. Sigue aquí: inténtalo más tarde.')
  assert.not.ok(isDue(third, NOW + 1e9))
  assert.is(nextTryDelay([third], NOW, 30_000), undefined)
  assert.is(nextTryDelay([third, waiting()], NOW, 30_000), 30_000)
  const retried = resetForRetry(third)
  assert.ok(isDue(retried, NOW))
  assert.is(afterSend(retried, refused(500), NOW).state, 'waiting', 'three tries again')
})

queue('too many requests is the server’s error, any other refusal the dog’s', () => {
  let crowded = waiting()
  for (let times = 0; times < 5; times++) crowded = afterSend(crowded, refused(429), NOW)
  assert.is(crowded.state, 'waiting', 'however often')
  assert.is(nextTryDelay([crowded], NOW, 30_000), 60_000)
  const wrong = afterSend(waiting(), refused(422, 'Zona no válida.'), NOW)
  assert.is(wrong.state, 'stuck')
  assert.is(wrong.problem, 'Zona no válida.')
  const proxy = afterSend(waiting(), refused(413, ''), NOW)
  assert.is(proxy.state, 'stuck')
  assert.is(
    proxy.problem,
    'El servidor no lo ha aceptado (error 413). Sigue aquí: edítalo o inténtalo más tarde.',
    'a proxy says it in a page of its own',
  )
})

queue('a response that is not ours is retried, marked as possibly received by the server', () => {
  for (const status of [200, 504]) {
    const after = afterSend(waiting(), refused(status, ''), NOW)
    assert.is(after.state, 'waiting', `${status}`)
    assert.is(after.isUncertain, true, `${status}`)
  }
})

queue('without a session it waits for its member, and is tried in every session', () => {
  const out = afterSend(waiting(), refused(401), NOW)
  assert.is(out.state, 'signed-out')
  assert.is(out.problem, 'Tu sesión ha terminado: inicia sesión y se enviará.')
  assert.ok(isDue(out, NOW))
})

queue('missing photos, some or all, and a missing breed prevent its submission', () => {
  assert.is(findObstacle(waiting(), 2, ['Beagle'], 'Mestizo'), undefined)
  for (const left of [0, 1])
    assert.is(
      findObstacle(waiting(), left, ['Beagle'], 'Mestizo'),
      'Faltan fotos en este dispositivo: edítalo y vuelve a elegirlas.',
    )
  assert.is(
    findObstacle(waiting(), 2, ['Galgo'], 'Mestizo'),
    'La raza «Beagle» ya no está en la lista: edítalo y elige otra.',
  )
  assert.is(findObstacle(waiting(), 2, [], 'Mestizo'), undefined, 'where the list cannot be had the server decides')
  const mixed = waiting({ values: { ...EMPTY_VALUES, breed: 'Mestizo', mix: 'galgo y algo' } })
  assert.is(findObstacle(mixed, 2, ['Beagle'], 'Mestizo'), undefined)
})

queue('another member on the same device does not see it', () => {
  assert.ok(isListedFor(waiting(), 'ana'))
  assert.ok(isListedFor(waiting(), null), 'signed out, one is asked to sign in')
  assert.not.ok(isListedFor(waiting(), 'luis'))
  assert.ok(isListedFor(waiting({ member: null }), 'luis'))
  assert.ok(mayOpen(waiting(), 'ana'))
  assert.not.ok(mayOpen(waiting(), null), 'to whom is signed out, neither its name nor its photo')
  assert.ok(mayOpen(waiting({ member: null }), null))
})
