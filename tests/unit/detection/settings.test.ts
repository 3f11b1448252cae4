import { EnvError, readEnv } from '#server/env.ts'
import { assert, suite } from '#tests/support/suites.ts'

const settings = suite('unit/detection/settings')

const OWN = { DETECTION_URL: 'http://127.0.0.1:11434/v1', DETECTION_MODEL: 'hf.co/Qwen/Qwen2.5-VL-7B-Instruct:Q4_K_M' }
const GEMINI = { GEMINI_API_KEY: 'clave' }

settings('the operator’s own server goes before Gemini, and needs no key', () => {
  assert.is(readEnv({}).detection, undefined)
  assert.equal(readEnv({ ...GEMINI, GEMINI_MODEL: 'm', GEMINI_URL: 'http://g' }).detection, {
    service: 'gemini',
    key: 'clave',
    url: 'http://g',
    model: 'm',
    timeoutMs: 20_000,
  })
  assert.equal(readEnv({ ...GEMINI, ...OWN, DETECTION_SECONDS: '60' }).detection, {
    service: 'chat-completions',
    key: undefined,
    url: OWN.DETECTION_URL,
    model: OWN.DETECTION_MODEL,
    timeoutMs: 60_000,
  })
})

settings('the daily budget has a former name, which the new one replaces', () => {
  assert.is(readEnv({}).detectionsPerDay, 1000)
  assert.is(readEnv({ DETECTIONS_PER_DAY: '7' }).detectionsPerDay, 7)
  assert.is(readEnv({ DETECTIONS_PER_DAY: '7', DETECTION_PER_DAY: '0' }).detectionsPerDay, 0)
})

const INVALID: [given: Record<string, string>, line: string][] = [
  [{ DETECTION_URL: 'http://x' }, 'falta DETECTION_MODEL: con DETECTION_URL hay que decir qué modelo mira las fotos.'],
  [
    { DETECTION_MODEL: 'm' },
    'falta DETECTION_URL: DETECTION_MODEL y DETECTION_KEY son del servidor que mira las fotos.',
  ],
  [
    { DETECTION_KEY: 'secreta' },
    'falta DETECTION_URL: DETECTION_MODEL y DETECTION_KEY son del servidor que mira las fotos.',
  ],
  ...['ftp://x', 'x', 'http://ana:secreta@x', 'http://x/?clave=secreta', 'http://x/#a'].map(
    (url): [Record<string, string>, string] => [
      { ...OWN, DETECTION_URL: url },
      'DETECTION_URL=…: valor no válido (se esperaba una dirección http(s) sin usuario ni parámetros, como http://127.0.0.1:11434).',
    ],
  ),
  [
    { ...OWN, DETECTION_MODEL: 'dos palabras' },
    'DETECTION_MODEL=dos palabras: valor no válido (se esperaba el nombre de un modelo, como qwen2.5vl:7b).',
  ],
  [{ ...OWN, DETECTION_KEY: 'dos secretas' }, 'DETECTION_KEY=…: valor no válido (se esperaba una clave sin espacios).'],
  ...['0', '121', '1.5', 'un rato'].map((text): [Record<string, string>, string] => [
    { ...OWN, DETECTION_SECONDS: text },
    `DETECTION_SECONDS=${text}: valor no válido (se esperaba segundos, de 1 a 120).`,
  ]),
  [{ DETECTION_PER_DAY: '-1' }, 'DETECTION_PER_DAY=-1: valor no válido (se esperaba un número; 0 para no limitar).'],
]
for (const [given, line] of INVALID)
  settings(`${JSON.stringify(given)} is refused`, () => {
    try {
      readEnv(given)
    } catch (error) {
      assert.instance(error, EnvError)
      return assert.is((error as Error).message, line)
    }
    assert.unreachable()
  })
