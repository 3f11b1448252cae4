import { createPrivateKey } from 'node:crypto'
import * as z from 'zod/mini'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { expectedPostgresAddress } from '#lib/postgres-address.ts'
import { PUSH_HOST_PATTERN } from '#lib/http/push-hosts.ts'

// The operator's settings, as .env.example names them.

const secretSettings = new WeakSet<object>()

/** Marks a setting whose value is, or may hold, a password or a key: no message shows it. Addresses may hold a password. */
function secret<S extends object>(schema: S): S {
  secretSettings.add(schema)
  return schema
}

const port = z.pipe(z.coerce.number(), z.int().check(z.gte(0), z.lte(65535)))
const optional = z.optional(z.string())
const secretText = secret(z.optional(z.string()))
const wholeNumber = z.pipe(z.coerce.number(), z.int().check(z.gte(0)))
const seconds = z.pipe(z.coerce.number(), z.int().check(z.gte(1), z.lte(3600)))

/** A site's address without a path, as browsers send it in Origin: `https://perrario.example`. */
const siteUrl = z.string().check(
  z.refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username
  }, 'una dirección http(s) sin ruta'),
)
/** The address of a provider: a host, perhaps with a path. */
const issuer = z.string().check(
  z.refine((text) => {
    const address = URL.parse(text)
    return address !== null && /^https?:$/.test(address.protocol) && !address.search && !address.hash
  }, 'una dirección http(s)'),
)
/** The base URL of a detection server. fetch refuses addresses with a user, and a query would stand before the path. */
const detectionUrl = z.string().check(
  z.refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
  }, 'una dirección http(s) sin usuario ni parámetros, como http://127.0.0.1:11434'),
)
const mailUrl = z.string().check(z.regex(/^smtps?:\/\/./, 'una dirección smtp:// o smtps://'))
/** Apple's .p8 file, also on one line with `\n` between its lines. */
const applePem = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.replaceAll('\\n', '\n')),
  ),
  z.string().check(z.refine(isAppleKey, 'la clave .p8 de Apple, entera')),
)
/** A comma list; an entry is a host, a `*.` before one, or a host with its port. */
const pushHosts = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
  ),
  z
    .array(z.string())
    .check(z.refine((hosts) => hosts.every((host) => PUSH_HOST_PATTERN.test(host)), 'hosts separados por comas')),
)
/** A service's address, without the bucket: a path would be taken for one. */
const storeUrl = z.string().check(
  z.refine((text) => {
    const url = URL.parse(text)
    return (
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      url.pathname === '/' &&
      !url.search &&
      !url.hash &&
      !url.username
    )
  }, 'la dirección http(s) del servicio, sin el bucket'),
)
/** A database of PostgreSQL, as libpq writes its address. */
const databaseUrl = z.string().check(
  z.refine(
    (text) => {
      const url = URL.parse(text)
      return url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && url.pathname.length > 1
    },
    { error: ({ input }) => expectedPostgresAddress(String(input)) },
  ),
)
const printable = (expected: string) => z.string().check(z.regex(/^[\x21-\x7e]+$/, expected))
const email = z.string().check(z.regex(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, 'una dirección de correo'))

/** The three settings of a sign-in provider, by their names in the environment. */
const provider = <N extends Uppercase<Provider>>(name: N) =>
  ({
    [`${name}_CLIENT_ID`]: optional,
    [`${name}_CLIENT_SECRET`]: secretText,
    [`${name}_ISSUER`]: secret(z.optional(issuer)),
  }) as Record<`${N}_CLIENT_ID` | `${N}_CLIENT_SECRET` | `${N}_ISSUER`, typeof optional>

export const envSchema = z.object({
  HOST: z._default(z.string(), '0.0.0.0'),
  PORT: z._default(port, 4321),
  SITE_URL: secret(z.optional(siteUrl)),
  DATA_DIR: z._default(z.string(), './var'),
  DATABASE_URL: secret(z.optional(databaseUrl)),
  SMTP_URL: secret(z.optional(mailUrl)),
  MAIL_FROM: z._default(z.string(), 'Perrario <perrario@localhost>'),
  ADMIN_EMAIL: z.optional(email),
  OPERATOR_NAME: optional,
  OPERATOR_EMAIL: z.optional(email),
  OPERATOR_ADDRESS: optional,
  GEMINI_API_KEY: secret(z.optional(printable('una clave sin espacios'))),
  GEMINI_URL: secret(z._default(issuer, 'https://generativelanguage.googleapis.com')),
  GEMINI_MODEL: z._default(
    z.string().check(z.regex(/^[\w.-]+$/, 'el nombre de un modelo')),
    'gemini-flash-lite-latest',
  ),
  DETECTION_URL: secret(z.optional(detectionUrl)),
  DETECTION_MODEL: z.optional(
    z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/, 'el nombre de un modelo, como qwen2.5vl:7b')),
  ),
  DETECTION_KEY: secret(z.optional(printable('una clave sin espacios'))),
  DETECTION_SECONDS: z._default(z.pipe(z.coerce.number(), z.int().check(z.gte(1), z.lte(120))), 20),
  ...provider('GOOGLE'),
  ...provider('FACEBOOK'),
  ...provider('GITHUB'),
  ...provider('APPLE'),
  APPLE_TEAM_ID: optional,
  APPLE_KEY_ID: secretText,
  APPLE_PRIVATE_KEY: secret(z.optional(applePem)),
  PUSH_HOSTS: z.optional(pushHosts),
  TILE_URL: secretText,
  TILE_ATTRIBUTION: optional,
  MAPBOX_TOKEN: secretText,
  MAPBOX_URL: secret(z._default(issuer, 'https://api.mapbox.com')),
  S3_ENDPOINT: secret(z.optional(storeUrl)),
  S3_BUCKET: z.optional(z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'el nombre de un bucket'))),
  S3_REGION: z.optional(z.string().check(z.regex(/^[\w-]+$/, 'una región como eu-west-1'))),
  S3_ACCESS_KEY_ID: secret(z.optional(printable('una clave sin espacios'))),
  S3_SECRET_ACCESS_KEY: secret(z.optional(printable('una clave sin espacios'))),
  TRUST_PROXY: z._default(z.enum(['0', '1', 'true', 'false', '']), '0'),
  HOLD_ANONYMOUS: z._default(z.enum(['on', 'off']), 'off'),
  SERVICE_WORKER: z._default(z.enum(['on', 'off']), 'on'),
  BACKUP_DIR: optional,
  BACKUPS: z._default(z.string().check(z.regex(/^(off|\d{1,3}(,\d{1,3}){0,2})$/)), '7,4,6'),
  PAGE_CACHE: z._default(z.string().check(z.regex(/^(off|[1-9]\d{0,3})$/)), '48'),
  PAGE_CACHE_POLL_MS: z.optional(wholeNumber),
  /** The former name of PAGE_CACHE_POLL_MS. */
  PAGE_CACHE_LOOK: z._default(wholeNumber, 1000),
  RENDERS_PER_MINUTE: z._default(wholeNumber, 3000),
  VISITOR_DOGS_PER_DAY: z._default(wholeNumber, 300),
  VISITOR_DOGS_TO_REVIEW: z._default(wholeNumber, 400),
  DETECTION_PER_DAY: z.optional(wholeNumber),
  /** The former name of DETECTION_PER_DAY. */
  DETECTIONS_PER_DAY: z._default(wholeNumber, 1000),
  GEOCODES_PER_DAY: z._default(wholeNumber, 2000),
  UPLOAD_MB_PER_DAY: z._default(wholeNumber, 500),
  SITE_UPLOAD_MB_PER_DAY: z._default(wholeNumber, 10_000),
  MIN_FREE_MB: z._default(wholeNumber, 300),
  RENDER_CACHE_MB: z._default(wholeNumber, 4000),
  ACCOUNTS_PER_DAY: z._default(wholeNumber, 200),
  ACCOUNTS_PER_HOUR: z._default(wholeNumber, 1000),
  LOG: z._default(z.enum(['pretty', 'json', 'off']), 'pretty'),
  LOG_LEVEL: z._default(z.enum(['debug', 'info', 'warn', 'error']), 'info'),
  LOG_REQUESTS: z._default(z.enum(['on', 'off']), 'off'),
  LOG_SLOW: z._default(wholeNumber, 2000),
  METRICS_TOKEN: secret(
    z.optional(z.string().check(z.regex(/^[\x21-\x7e]{16,}$/, 'al menos 16 caracteres sin espacios'))),
  ),
  HEADERS_SECONDS: z._default(seconds, 20),
  REQUEST_SECONDS: z._default(seconds, 300),
  DRAIN_SECONDS: z._default(wholeNumber, 0),
  CONNECTIONS_PER_IP: z._default(wholeNumber, 3000),
  UNREAD_MB_PER_IP: z._default(wholeNumber, 64),
})

/** Whether no message may show the value of a setting. One that the schema does not know is none of ours. */
export const isSecretSetting = (name: string): boolean => {
  const schema = (envSchema.shape as Record<string, object>)[name]
  return schema === undefined || secretSettings.has(schema)
}

/** Environment of the process that decodes pictures: search path and memory settings, none of the operator's secrets. */
export const decoderSchema = z.object({
  PATH: optional,
  NODE_COMPILE_CACHE: optional,
  MALLOC_ARENA_MAX: optional,
  MALLOC_MMAP_THRESHOLD_: optional,
  SystemRoot: optional,
})
/** What systemd says of the sockets that it passes (sd_listen_fds). */
export const systemdSchema = z.object({ LISTEN_FDS: optional, LISTEN_PID: optional })
export type SystemdSettings = z.infer<typeof systemdSchema>

/** The operator's settings by their own names, checked. */
export type Settings = z.infer<typeof envSchema>

function isAppleKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}
