import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { notificationMessage, summaryMessage, type PushedNotification } from '#features/notifications/push/message.ts'
import { readPushKeys } from '#features/notifications/push/vapid-keys.server.ts'
import { startPush, vapidSubject } from '#features/notifications/push/push-service.server.ts'
import { readMessage } from '#features/notifications/push/push.ts'
import { subscriptionInput } from '#features/notifications/push/push-input.ts'
import { quietEnd } from '#features/notifications/push/quiet-hours.ts'
import { outcomeOf, retryAfter, retryDelay } from '#features/notifications/push/retry.ts'
import { settingsInput } from '#features/notifications/push/settings.ts'
import { isAllowedPushEndpoint } from '#lib/http/push-hosts.ts'
import { EnvError, readEnv } from '#server/env.ts'
import { freshDb } from '#tests/support/db.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

const push = folderSuite('unit/notifications/push-messages')

push('keys are generated once, readable by the operator alone', ({ dir }) => {
  const keys = readPushKeys(dir)
  assert.match(keys.publicKey, /^[\w-]{87}$/)
  assert.match(keys.privateKey, /^[\w-]{43}$/)
  assert.is(statSync(join(dir, 'push-keys.json')).mode & 0o777, 0o600)
  assert.equal(readPushKeys(dir), keys)
  assert.equal(readdirSync(dir), ['push-keys.json'])
  chmodSync(join(dir, 'push-keys.json'), 0o644)
  assert.equal(readPushKeys(dir), keys)
  assert.is(statSync(join(dir, 'push-keys.json')).mode & 0o777, 0o600)
})

push('an invalid key file is reported and left unchanged, and nothing is sent', async ({ dir }) => {
  const file = join(dir, 'push-keys.json')
  const { publicKey } = readPushKeys(dir)
  const other = mkdtempSync(join(dir, 'otro-'))
  const broken = {
    '{"publicKey": "ab': 'push-keys.json no es JSON',
    '{}': 'push-keys.json no guarda un par de claves',
    [JSON.stringify({ publicKey, privateKey: readPushKeys(other).privateKey })]:
      'push-keys.json no guarda un par de claves',
  }
  for (const [text, message] of Object.entries(broken)) {
    writeFileSync(file, text)
    assert.throws(() => readPushKeys(dir), new RegExp(message))
    const said: string[] = []
    const settings = { dataDir: dir, siteUrl: undefined, adminEmail: undefined, mailFrom: 'x', pushHosts: [] }
    assert.is(await startPush(freshDb(), settings, (line) => void said.push(line)), null)
    assert.equal(said, [`no hay avisos en los dispositivos: ${message}`])
    assert.is(readFileSync(file, 'utf8'), text)
  }
})

push('the VAPID subject is the site’s address or a mail address', () => {
  const mailFrom = 'Perrario <hola@perrario.example>'
  const [siteUrl, adminEmail] = ['https://perrario.example', 'admin@perrario.example']
  assert.is(vapidSubject({ siteUrl, adminEmail, mailFrom }), siteUrl)
  assert.is(vapidSubject({ siteUrl: 'http://localhost:1', adminEmail, mailFrom }), 'mailto:admin@perrario.example')
  assert.is(vapidSubject({ siteUrl: undefined, adminEmail: undefined, mailFrom }), 'mailto:hola@perrario.example')
})

push('messages go to push services only', () => {
  const good = [
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/QABC',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
  ]
  const bad = [
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://fcm.googleapis.com.otro.example/a',
    'https://otrofcm.googleapis.com/a',
    'https://notify.windows.com.otro.example/a',
    'https://evilnotify.windows.com/a',
    'https://a:b@fcm.googleapis.com/a',
    'https://127.0.0.1/a',
    'https://localhost/a',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'ftp://fcm.googleapis.com/a',
    'no es una dirección',
    '',
    `https://fcm.googleapis.com/${'a'.repeat(1024)}`,
  ]
  assert.equal(
    [...good, ...bad].filter((address) => isAllowedPushEndpoint(address, [])),
    good,
  )
  const extra = ['push.example.org', '*.example.net', 'localhost:4000']
  const named = ['https://push.example.org/a', 'https://a.b.example.net/a', 'http://localhost:4000/a']
  const unnamed = [
    'http://push.example.org/a',
    'https://push.example.org:444/a',
    'https://example.net/a',
    'http://localhost:4001/a',
    'http://localhost/a',
  ]
  assert.equal(
    [...named, ...unnamed].filter((address) => isAllowedPushEndpoint(address, extra)),
    named,
  )
})

push('PUSH_HOSTS must be a list of hosts, or the start fails', () => {
  assert.equal(readEnv({}).pushHosts, [])
  assert.equal(readEnv({ PUSH_HOSTS: 'Push.Example.org, *.example.net,localhost:4000' }).pushHosts, [
    'push.example.org',
    '*.example.net',
    'localhost:4000',
  ])
  for (const PUSH_HOSTS of ['https://push.example.org', '*', '*.', 'a/b'])
    assert.throws(
      () => readEnv({ PUSH_HOSTS }),
      (error: Error) =>
        error instanceof EnvError &&
        error.message === `PUSH_HOSTS=${PUSH_HOSTS}: valor no válido (se esperaba hosts separados por comas).`,
    )
})

push('a subscription has an address and keys of the right length', () => {
  const keys = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) }
  const endpoint = 'https://fcm.googleapis.com/a'
  assert.ok(subscriptionInput.safeParse({ endpoint, keys, expirationTime: null }).success)
  // Some browsers pad.
  assert.equal(subscriptionInput.parse({ endpoint, keys: { ...keys, auth: `${keys.auth}==` } }).keys, keys)
  for (const wrong of [
    {},
    { endpoint },
    { endpoint: 7, keys },
    { endpoint, keys: { ...keys, auth: 'a'.repeat(21) } },
    { endpoint, keys: { ...keys, p256dh: `${'B'.repeat(86)}!` } },
    { endpoint: `https://fcm.googleapis.com/${'a'.repeat(1024)}`, keys },
  ])
    assert.is(subscriptionInput.safeParse(wrong).success, false, JSON.stringify(wrong))
})

const at = (text: string) => Date.parse(text)
const NIGHT = { from: 23 * 60, to: 8 * 60 }

push('quiet hours end by the member’s time zone', () => {
  const madrid = (now: string, quiet = NIGHT) => {
    const end = quietEnd(at(now), quiet, 'Europe/Madrid')
    return end && new Date(end).toISOString()
  }
  assert.is(madrid('2026-11-20T21:59:59Z'), null)
  assert.is(madrid('2026-11-20T22:00:00Z'), '2026-11-21T07:00:00.000Z')
  assert.is(madrid('2026-11-21T06:59:59Z'), '2026-11-21T07:00:00.000Z')
  assert.is(madrid('2026-11-21T07:00:00Z'), null)
  // Within a day.
  assert.is(madrid('2026-11-20T14:30:00Z', { from: 15 * 60, to: 17 * 60 }), '2026-11-20T16:00:00.000Z')
  assert.is(madrid('2026-11-20T17:30:00Z', { from: 15 * 60, to: 17 * 60 }), null)
  // Nights in which clocks change: 29 March and 25 October 2026.
  assert.is(madrid('2026-03-28T23:00:00Z'), '2026-03-29T06:00:00.000Z')
  assert.is(madrid('2026-10-24T22:00:00Z'), '2026-10-25T07:00:00.000Z')
  assert.is(quietEnd(at('2026-11-20T22:30:00Z'), NIGHT, 'Atlantic/Canary'), null)
  assert.is(quietEnd(at('2026-11-21T02:00:00Z'), NIGHT, 'America/Bogota'), null)
  assert.is(quietEnd(at('2026-11-21T04:00:00Z'), NIGHT, 'America/Bogota'), at('2026-11-21T13:00:00Z'))
  assert.is(quietEnd(at('2026-11-21T04:00:00Z'), null, 'Europe/Madrid'), null)
})

push('preferences are validated', () => {
  const good = {
    likes: true,
    comments: false,
    others: true,
    quiet: { from: '23:30', to: '07:00' },
    time_zone: 'Atlantic/Canary',
  }
  assert.equal(settingsInput.parse(good), { ...good, quiet: { from: 1410, to: 420 } })
  assert.is(settingsInput.parse({ ...good, quiet: null }).quiet, null)
  assert.is(settingsInput.parse({ ...good, quiet: { from: '08:00', to: '08:00' } }).quiet, null)
  const zoneOf = (time_zone: string) => settingsInput.parse({ ...good, time_zone }).time_zone
  assert.is(zoneOf('America/Argentina/Buenos_Aires'), 'America/Argentina/Buenos_Aires', 'as the form calls it')
  assert.is(zoneOf('aMERICA/mexico_CITY'), 'America/Mexico_City', 'a thousand spellings keep one clock')
  for (const [field, value, sentence] of [
    ['likes', 1, 'Elige sí o no para cada tipo de aviso.'],
    ['quiet', { from: '24:00', to: '08:00' }, 'Escribe las horas como 23:00.'],
    ['quiet', { from: '23:00' }, 'Escribe las horas como 23:00.'],
    ['time_zone', 'Europe/Marte', 'Elige una zona horaria de la lista.'],
    ['time_zone', '__proto__', 'Elige una zona horaria de la lista.'],
    ['time_zone', null, 'Elige una zona horaria de la lista.'],
  ] as const) {
    const result = settingsInput.safeParse({ ...good, [field]: value })
    assert.is(result.error?.issues[0]?.message, sentence, `${field} ${JSON.stringify(value)}`)
  }
})

const line = (fields: Partial<PushedNotification> = {}): PushedNotification => ({
  id: 'l1',
  type: 'like',
  title: 'Nuevo like',
  content: 'A Luis le gusta Toby',
  path: '/beagle/toby',
  ...fields,
})

push('a message has the text of its notification', () => {
  assert.equal(notificationMessage(line()), {
    title: 'Nuevo like',
    body: 'A Luis le gusta Toby',
    path: '/beagle/toby',
    tag: 'l1',
  })
  assert.is(notificationMessage(line({ type: 'comment' })).path, '/beagle/toby#comentarios')
  assert.is(notificationMessage(line({ path: null })).path, '/notificaciones')
})

push('a message fits the maximum size, whatever its text', () => {
  for (const letter of ['a', 'ñ', '漢', '👨‍👩‍👧‍👦', 'e\u0301'.repeat(1) + '\u0302'.repeat(30)]) {
    const long = line({ title: letter.repeat(500), content: letter.repeat(2000) })
    for (const message of [notificationMessage(long), summaryMessage([long, long, long])])
      assert.ok(Buffer.byteLength(JSON.stringify(message)) < 3900, `${letter}: ${JSON.stringify(message).length}`)
    assert.ok(notificationMessage(long).body.endsWith('…'))
  }
})

push('several notifications make one message', () => {
  const lines = ['Uno', 'Dos', 'Tres', 'Cuatro', 'Cinco'].map((content, at) => line({ id: `l${at}`, content }))
  assert.equal(summaryMessage(lines), {
    title: '5 avisos nuevos',
    body: 'Uno\nDos\nY 3 más.',
    path: '/notificaciones',
    tag: 'resumen',
  })
  assert.is(summaryMessage(lines.slice(0, 2)).body, 'Uno\nDos')
})

push('an unreadable message still shows a text', () => {
  const message = { title: 'Nuevo like', body: 'Hola', path: '/perros', tag: 't' }
  assert.equal(readMessage({ json: () => message }), message)
  const unreadable = { title: 'Perrario', body: 'Tienes avisos nuevos.', path: '/notificaciones', tag: 'aviso' }
  const broken = { json: () => JSON.parse('{') }
  for (const data of [null, broken, { json: () => null }, { json: () => ({ ...message, title: 7 }) }])
    assert.equal(readMessage(data), unreadable)
})

push('every status of a push service has its outcome', () => {
  const meanings = Object.groupBy(
    [200, 201, 202, 301, 307, 400, 401, 403, 404, 408, 410, 413, 429, 500, 503],
    outcomeOf,
  )
  assert.equal(
    { ...meanings },
    {
      sent: [200, 201, 202],
      refused: [301, 307, 400, 401, 403, 413],
      gone: [404, 410],
      later: [408, 429, 500, 503],
    },
  )
})

push('retries wait as long as Retry-After, and longer each time', () => {
  const now = at('2026-11-20T10:00:00Z')
  assert.is(retryAfter('120', now), 120_000)
  assert.is(retryAfter('Fri, 20 Nov 2026 10:05:00 GMT', now), 300_000)
  assert.is(retryAfter('Fri, 20 Nov 2026 09:00:00 GMT', now), 0)
  assert.is(retryAfter('99999999', now), 86_400_000)
  assert.is(retryAfter('pronto', now), 0)
  assert.is(retryAfter(null, now), 0)
  assert.equal(
    [1, 2, 3, 4, 8].map((tries) => retryDelay(tries, 0, 0.5)),
    [30_000, 90_000, 270_000, 810_000, 7_200_000],
  )
  assert.is(retryDelay(1, 600_000), 600_000)
})
