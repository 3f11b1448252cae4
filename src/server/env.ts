import { createPrivateKey } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type BackupRetention, parseBackupRetention } from '#lib/backup-retention.ts'
import type { OauthSettings } from '#lib/auth/oauth-settings.ts'
import { type Provider, PROVIDERS } from '#lib/auth/oauth-providers.ts'
import { PUSH_HOST_PATTERN } from '#lib/http/push-hosts.ts'
import type { LogSettings } from './log/open-log.ts'

const port = z.pipe(z.coerce.number(), z.int().check(z.gte(0), z.lte(65535)))
const optional = z.optional(z.string())
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
const email = z.string().check(z.regex(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, 'una dirección de correo'))

/** The three settings of a sign-in provider, by their names in the environment. */
const provider = <N extends Uppercase<Provider>>(name: N) =>
  ({
    [`${name}_CLIENT_ID`]: optional,
    [`${name}_CLIENT_SECRET`]: optional,
    [`${name}_ISSUER`]: z.optional(issuer),
  }) as Record<`${N}_CLIENT_ID` | `${N}_CLIENT_SECRET` | `${N}_ISSUER`, typeof optional>

const schema = z.object({
  HOST: z._default(z.string(), '0.0.0.0'),
  PORT: z._default(port, 4321),
  SITE_URL: z.optional(siteUrl),
  DATA_DIR: z._default(z.string(), './var'),
  SMTP_URL: z.optional(mailUrl),
  MAIL_FROM: z._default(z.string(), 'Perrario <perrario@localhost>'),
  ADMIN_EMAIL: z.optional(email),
  GEMINI_API_KEY: z.optional(z.string().check(z.regex(/^[\x21-\x7e]+$/, 'una clave sin espacios'))),
  GEMINI_URL: z._default(issuer, 'https://generativelanguage.googleapis.com'),
  GEMINI_MODEL: z._default(
    z.string().check(z.regex(/^[\w.-]+$/, 'el nombre de un modelo')),
    'gemini-flash-lite-latest',
  ),
  ...provider('GOOGLE'),
  ...provider('FACEBOOK'),
  ...provider('GITHUB'),
  ...provider('APPLE'),
  APPLE_TEAM_ID: optional,
  APPLE_KEY_ID: optional,
  APPLE_PRIVATE_KEY: z.optional(applePem),
  PUSH_HOSTS: z.optional(pushHosts),
  TILE_URL: optional,
  TILE_ATTRIBUTION: optional,
  MAPBOX_TOKEN: optional,
  MAPBOX_URL: z._default(issuer, 'https://api.mapbox.com'),
  TRUST_PROXY: z._default(z.enum(['0', '1', 'true', 'false', '']), '0'),
  HOLD_ANONYMOUS: z._default(z.enum(['on', 'off']), 'off'),
  SERVICE_WORKER: z._default(z.enum(['on', 'off']), 'on'),
  BACKUP_DIR: optional,
  BACKUPS: z._default(z.string().check(z.regex(/^(off|\d{1,3}(,\d{1,3}){0,2})$/)), '7,4,6'),
  PAGE_CACHE: z._default(z.string().check(z.regex(/^(off|[1-9]\d{0,3})$/)), '48'),
  PAGE_CACHE_LOOK: z._default(wholeNumber, 1000),
  RENDERS_PER_MINUTE: z._default(wholeNumber, 3000),
  VISITOR_DOGS_PER_DAY: z._default(wholeNumber, 300),
  DETECTIONS_PER_DAY: z._default(wholeNumber, 1000),
  UPLOAD_MB_PER_DAY: z._default(wholeNumber, 500),
  SITE_UPLOAD_MB_PER_DAY: z._default(wholeNumber, 10_000),
  MIN_FREE_MB: z._default(wholeNumber, 300),
  ACCOUNTS_PER_DAY: z._default(wholeNumber, 200),
  ACCOUNTS_PER_HOUR: z._default(wholeNumber, 1000),
  LOG: z._default(z.enum(['pretty', 'json', 'off']), 'pretty'),
  LOG_LEVEL: z._default(z.enum(['debug', 'info', 'warn', 'error']), 'info'),
  LOG_REQUESTS: z._default(z.enum(['on', 'off']), 'off'),
  LOG_SLOW: z._default(wholeNumber, 2000),
  METRICS_TOKEN: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{16,}$/, 'al menos 16 caracteres sin espacios'))),
  HEADERS_SECONDS: z._default(seconds, 20),
  REQUEST_SECONDS: z._default(seconds, 300),
  CONNECTIONS_PER_IP: z._default(wholeNumber, 3000),
  UNREAD_MB_PER_IP: z._default(wholeNumber, 64),
})

/** Environment of the processes that decode pictures: search path and memory settings, none of the operator's secrets. */
const decoderSchema = z.object({
  PATH: optional,
  NODE_COMPILE_CACHE: optional,
  MALLOC_ARENA_MAX: optional,
  MALLOC_MMAP_THRESHOLD_: optional,
  SystemRoot: optional,
})
/** What systemd says of the sockets that it passes (sd_listen_fds). */
const systemdSchema = z.object({ LISTEN_FDS: optional, LISTEN_PID: optional })

/** The operator's settings by their own names, checked. */
type Settings = z.infer<typeof schema>

export interface Env {
  host: string
  port: number
  /** The public origin; undefined accepts any Host. */
  siteUrl: string | undefined
  dataDir: string
  smtpUrl: string | undefined
  mailFrom: string
  adminEmail: string | undefined
  trustProxy: boolean
  /** The service that detects the breed in a photo; undefined without a key. */
  gemini: { key: string; url: string; model: string } | undefined
  /** Whether dogs added without an account wait for the admin's review. */
  reviewAnonymousDogs: boolean
  /** False removes the service worker from every browser that has it. */
  serviceWorker: boolean
  /** Size of the page cache, bytes; 0: no page is cached. */
  pageCacheBytes: number
  /** Interval between checks for writes of other processes, ms; 0: at every request. */
  pageCachePollMs: number
  /** Pages that one network may have rendered a minute; 0: no limit. */
  rendersPerMinute: number
  /** Dogs that visitors of one network may add in a day; 0: no limit. */
  visitorDogsPerDay: number
  /** Breed detections of the whole site in a day; 0: no limit. */
  detectionsPerDay: number
  /** Bytes of photos that one member, or the visitors of one network, may store in a day, and of comments a hundredth; 0: no limit. */
  uploadBytesPerDay: number
  /** Bytes of photos that everybody together may upload in a day; 0: no limit. */
  siteUploadBytesPerDay: number
  /** Free bytes of the disk below which nothing is added; 0: not checked. */
  minFreeBytes: number
  /** New accounts of one network in a day, and of the whole site in an hour; 0: no limit. */
  accountsPerDay: number
  accountsPerHour: number
  /** What is logged, and how. */
  log: LogSettings & {
    /** Whether every request is logged that the page cache does not answer. */
    requests: boolean
    /** Requests that took longer are logged, ms. */
    slowAfterMs: number
  }
  /** The bearer token of /metrics; undefined: there is no /metrics. */
  metricsToken: string | undefined
  /** Time that a client has for its headers and for its whole request, s. */
  headersSeconds: number
  requestSeconds: number
  /** Open connections of one site (IPv4 address or IPv6 /48); 0: no limit. Not applied behind a proxy. */
  connectionsPerIp: number
  /** Bytes of answers that may wait in memory for the readers of one address, and twice as many for all; 0: no limit. */
  unreadBytesPerIp: number
  /** The geocoder for places that the gazetteer does not know; undefined without a token. */
  mapbox: { token: string; url: string } | undefined
  /** Street tiles over the embedded map; null where the operator set none. */
  tiles: { url: string; attribution: string } | null
  /** Hosts of push services in addition to the known ones. */
  pushHosts: readonly string[]
  /** The folder of the backups. */
  backupDir: string
  /** How many nightly backups are retained; null: none are made. */
  backups: BackupRetention | null
  /** The social sign-ins whose settings are complete. */
  oauth: OauthSettings
  /** What systemd says of the sockets that it passes, by its own names. */
  systemd: z.infer<typeof systemdSchema>
  /** The environment of the processes that decode pictures. */
  decoderEnvironment: Record<string, string>
}

/** Thrown by `readEnv`: `message` is one line that names the variable and the expected value. */
export class EnvError extends Error {}

/**
 * Reads and checks the environment. An empty value counts as absent, so that `.env` may list names without values.
 * @throws EnvError naming the first bad variable
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const result = schema.safeParse(given)
  if (!result.success) {
    const issue = result.error.issues[0]!
    const name = String(issue.path[0])
    const shown = /SECRET|KEY|TOKEN/.test(name) ? '…' : given[name]
    throw new EnvError(`${name}=${shown}: valor no válido (se esperaba ${describeExpected(name, issue.message)}).`)
  }
  const env = result.data
  return {
    host: env.HOST,
    port: env.PORT,
    siteUrl: env.SITE_URL && new URL(env.SITE_URL).origin,
    dataDir: env.DATA_DIR,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    adminEmail: env.ADMIN_EMAIL?.toLowerCase(),
    trustProxy: env.TRUST_PROXY === '1' || env.TRUST_PROXY === 'true',
    gemini:
      env.GEMINI_API_KEY === undefined
        ? undefined
        : { key: env.GEMINI_API_KEY, url: env.GEMINI_URL, model: env.GEMINI_MODEL },
    reviewAnonymousDogs: env.HOLD_ANONYMOUS === 'on',
    serviceWorker: env.SERVICE_WORKER === 'on',
    pageCacheBytes: env.PAGE_CACHE === 'off' ? 0 : Number(env.PAGE_CACHE) * 1_000_000,
    pageCachePollMs: env.PAGE_CACHE_LOOK,
    rendersPerMinute: env.RENDERS_PER_MINUTE,
    visitorDogsPerDay: env.VISITOR_DOGS_PER_DAY,
    detectionsPerDay: env.DETECTIONS_PER_DAY,
    uploadBytesPerDay: env.UPLOAD_MB_PER_DAY * 1_000_000,
    siteUploadBytesPerDay: env.SITE_UPLOAD_MB_PER_DAY * 1_000_000,
    minFreeBytes: env.MIN_FREE_MB * 1_000_000,
    accountsPerDay: env.ACCOUNTS_PER_DAY,
    accountsPerHour: env.ACCOUNTS_PER_HOUR,
    log: { style: env.LOG, level: env.LOG_LEVEL, requests: env.LOG_REQUESTS === 'on', slowAfterMs: env.LOG_SLOW },
    metricsToken: env.METRICS_TOKEN,
    headersSeconds: env.HEADERS_SECONDS,
    requestSeconds: env.REQUEST_SECONDS,
    connectionsPerIp: env.CONNECTIONS_PER_IP,
    unreadBytesPerIp: env.UNREAD_MB_PER_IP * 1_000_000,
    mapbox: env.MAPBOX_TOKEN === undefined ? undefined : { token: env.MAPBOX_TOKEN, url: env.MAPBOX_URL },
    tiles: env.TILE_URL ? { url: env.TILE_URL, attribution: env.TILE_ATTRIBUTION ?? '' } : null,
    pushHosts: env.PUSH_HOSTS ?? [],
    backupDir: env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups'),
    backups: parseBackupRetention(env.BACKUPS),
    oauth: parseOauth(env),
    systemd: systemdSchema.parse(given),
    decoderEnvironment: decoderSchema.parse(given) as Record<string, string>,
  }
}

/** The providers with an id and a secret (or, for Apple, a key to make it from). */
function parseOauth(env: Settings): OauthSettings {
  const { APPLE_TEAM_ID: teamId, APPLE_KEY_ID: keyId, APPLE_PRIVATE_KEY: pem } = env
  const settings: OauthSettings = {}
  for (const provider of PROVIDERS) {
    const name = provider.toUpperCase() as Uppercase<Provider>
    const [clientId, clientSecret, issuer] = [
      env[`${name}_CLIENT_ID`],
      env[`${name}_CLIENT_SECRET`],
      env[`${name}_ISSUER`],
    ]
    const key = provider === 'apple' && teamId && keyId && pem ? { teamId, keyId, pem } : undefined
    if (clientId && (clientSecret || key)) settings[provider] = { clientId, clientSecret, issuer, key }
  }
  return settings
}

function isAppleKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

function describeExpected(name: string, message: string): string {
  if (name === 'PORT') return 'un número entre 0 y 65535'
  if (name === 'TRUST_PROXY') return '0 o 1'
  if (name === 'SERVICE_WORKER') return 'on u off'
  if (name === 'BACKUPS') return 'off, o días, semanas y meses como 7,4,6'
  if (name === 'PAGE_CACHE') return 'megabytes, de 1 a 9999, u off'
  if (name === 'PAGE_CACHE_LOOK') return 'milisegundos'
  if (/_PER_(MINUTE|HOUR|DAY|IP)$/.test(name)) return 'un número; 0 para no limitar'
  if (name === 'MIN_FREE_MB') return 'megabytes; 0 para no mirarlo'
  if (name === 'LOG') return 'pretty, json u off'
  if (name === 'LOG_LEVEL') return 'debug, info, warn o error'
  if (name === 'LOG_REQUESTS') return 'on u off'
  if (name === 'LOG_SLOW') return 'milisegundos'
  if (name.endsWith('_SECONDS')) return 'segundos, de 1 a 3600'
  return message
}

let env: Env | undefined

/** The environment of this process, read once. */
export function getEnv(): Env {
  return (env ??= readEnv(process.env))
}

/** True where the site is served over https, so that its cookies may be `Secure`. */
export const isHttpsSite = (): boolean => getEnv().siteUrl?.startsWith('https:') ?? false
