import { afterSend } from '#features/sightings/queue/after-send.ts'
import { SIGHTING_QUEUE_TEXTS, toQueuedSighting } from '#features/sightings/queue/queue.ts'
import { isDue } from '#lib/queued-sends.ts'
import { DAY_MS } from '#lib/time.ts'
import { assert, suite } from '#tests/support/suites.ts'

const NOW = 1_800_000_000_000
const waiting = toQueuedSighting(
  {
    id: 'a',
    member: null,
    dogId: 'd',
    dogName: 'a Toby',
    fields: { lat: '40.3', lon: '-3.7', zone: '', words: '', at: new Date(NOW).toISOString() },
    photo: { bytes: new ArrayBuffer(1), name: 'foto.jpg', type: 'image/jpeg' },
  },
  NOW,
)
const refused = (status: number, message = 'No.') => ({ kind: 'refused' as const, status, message })

const queue = suite('unit/sightings/sighting-queue')

queue('it waits as long as there is no network, with its time', () => {
  const after = afterSend(waiting, { kind: 'broken' }, NOW + 3 * DAY_MS)
  assert.ok(isDue(after, NOW + 3 * DAY_MS))
  assert.equal([after.fields, after.tries], [waiting.fields, 0])
})

queue('sent, its photo leaves the device, and it waits for a page that says so', () => {
  const after = afterSend(waiting, 'sent', NOW)
  assert.equal([after.state, after.photo], ['sent', null])
})

queue('a refusal is said; of a dog that is home or gone there is nothing left to send', () => {
  const unknown = afterSend(waiting, refused(422, 'No conocemos ese sitio.'), NOW)
  assert.equal([unknown.state, unknown.problem, unknown.isOver], ['stuck', 'No conocemos ese sitio.', false])
  const home = afterSend(waiting, refused(409, 'Ya no está perdido.'), NOW)
  assert.equal([home.state, home.problem, home.isOver], ['stuck', 'Ya no está perdido.', true])
  const gone = afterSend(waiting, refused(404, 'Perro no encontrado'), NOW)
  assert.equal([gone.state, gone.problem, gone.isOver], ['stuck', SIGHTING_QUEUE_TEXTS.gone, true])
  assert.is(afterSend(waiting, refused(401), NOW).state, 'signed-out')
})

queue('a busy or failing server is tried again later', () => {
  const busy = afterSend(waiting, refused(429), NOW)
  assert.equal([busy.state, busy.notBefore > NOW, busy.tries], ['waiting', true, 0])
  let failing = waiting
  for (const state of ['waiting', 'waiting', 'stuck']) {
    failing = afterSend(failing, refused(503), NOW)
    assert.is(failing.state, state)
  }
})
