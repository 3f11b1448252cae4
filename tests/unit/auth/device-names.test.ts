import { describeDevice } from '#features/auth/sessions/device-name.ts'
import { assert, suite } from '#tests/support/suites.ts'

const devices = suite('unit/auth/device-names')

const KNOWN: [string, string][] = [
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox en Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0',
    'Edge en Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'Chrome en Android',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    'Samsung Internet en Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari en iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1',
    'Chrome en iPad',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari en Mac',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0', 'Chrome en Linux'],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 OPR/116.0',
    'Opera en ChromeOS',
  ],
  ['curl/8.9.1', 'curl'],
  ['node', 'node'],
]

devices('a device name has browser and system', () => {
  for (const [userAgent, name] of KNOWN) assert.is(describeDevice(userAgent), name)
})

devices('a device name is empty for an unknown user agent', () => {
  for (const nothing of [null, '', '<script>', '  ', '🐶']) assert.is(describeDevice(nothing), null)
})

devices('a device name stays short, whatever is sent', () => {
  assert.is(describeDevice('x'.repeat(9000)), 'x'.repeat(40))
  assert.is(describeDevice(`Firefox/ Windows ${'x'.repeat(9000)}`), 'Firefox en Windows')
})
