import { envSchema } from '#server/env-schema.ts'
import { readEnv } from '#server/env.ts'
import { assert, suite } from '#tests/support/suites.ts'

// A setting that is not valid stops the program with a line that names it, which lands in logs: the line shows no password.

const secrets = suite('unit/server/secret-settings')

/** Settings of numbers and words, of which a line shows what was given: nobody writes a password there. */
const SHOWN = new Set(
  `PORT ADMIN_EMAIL OPERATOR_EMAIL GEMINI_MODEL DETECTION_MODEL DETECTION_SECONDS DETECTION_PER_DAY PUSH_HOSTS S3_BUCKET S3_REGION TRUST_PROXY HOLD_ANONYMOUS SERVICE_WORKER BACKUPS PAGE_CACHE
  PAGE_CACHE_POLL_MS PAGE_CACHE_LOOK RENDERS_PER_MINUTE VISITOR_DOGS_PER_DAY VISITOR_DOGS_TO_REVIEW DETECTIONS_PER_DAY GEOCODES_PER_DAY UPLOAD_MB_PER_DAY
  SITE_UPLOAD_MB_PER_DAY MIN_FREE_MB RENDER_CACHE_MB ACCOUNTS_PER_DAY ACCOUNTS_PER_HOUR LOG LOG_LEVEL LOG_REQUESTS LOG_SLOW
  HEADERS_SECONDS REQUEST_SECONDS DRAIN_SECONDS CONNECTIONS_PER_IP UNREAD_MB_PER_IP`.split(/\s+/),
)
const CANARY = 'canario'
/** Addresses of no kind that a setting takes, and texts that none takes. */
const VALUES = [
  `gopher://ana:${CANARY}@servidor:1/x`,
  `ana:${CANARY}@servidor`,
  `${CANARY} ñ`,
  `https://ana:${CANARY}@servidor/?a=b#c`,
]

function messageOf(name: string, value: string): string {
  try {
    readEnv({ [name]: value })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

secrets('a line about an invalid setting shows its value for numbers and words only', () => {
  const refused = new Set<string>()
  for (const name of Object.keys(envSchema.shape))
    for (const value of VALUES) {
      const message = messageOf(name, value)
      if (message) refused.add(name)
      if (!SHOWN.has(name)) assert.not.match(message, CANARY, name)
    }
  for (const name of [
    'SMTP_URL',
    'DATABASE_URL',
    'SITE_URL',
    'GOOGLE_ISSUER',
    'S3_ENDPOINT',
    'MAPBOX_URL',
    'METRICS_TOKEN',
  ])
    assert.ok(refused.has(name), name)
})

secrets('the line names the setting and what is expected', () => {
  assert.is(
    messageOf('SMTP_URL', `http://x:${CANARY}@y`),
    'SMTP_URL=…: valor no válido (se esperaba una dirección smtp:// o smtps://).',
  )
  assert.match(messageOf('PORT', 'ochenta'), 'PORT=ochenta')
})
