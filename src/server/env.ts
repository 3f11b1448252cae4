import { join } from 'node:path'
import type { BucketSettings } from '#lib/bucket-settings.ts'
import type { DetectionSettings } from '#lib/detection-settings.ts'
import { type BackupRetention, parseBackupRetention } from '#lib/backup-retention.ts'
import type { OauthSettings } from '#lib/auth/oauth-settings.ts'
import type { Operator } from '#lib/operator.ts'
import { type Provider, PROVIDERS } from '#lib/auth/oauth-providers.ts'
import {
  decoderSchema,
  envSchema,
  isSecretSetting,
  type Settings,
  systemdSchema,
  type SystemdSettings,
} from './env-schema.ts'
import type { LogSettings } from './log/open-log.ts'

export interface Env {
  host: string
  port: number
  /** The public origin; undefined accepts any Host. */
  siteUrl: string | undefined
  dataDir: string
  /** The address of PostgreSQL, with its password; undefined: the database is in DATA_DIR. */
  databaseUrl: string | undefined
  /** The bucket of the photos; undefined: they are in DATA_DIR. */
  bucket: BucketSettings | undefined
  smtpUrl: string | undefined
  mailFrom: string
  /** Named in the legal texts. */
  operator: Operator
  adminEmail: string | undefined
  trustProxy: boolean
  /** The service that detects the breed in a photo; undefined where none is set up. */
  detection: DetectionSettings | undefined
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
  /** Visitors' dogs that may wait for the admin, of one network a quarter in a day; 0: no limit. */
  anonymousReviewsMax: number
  /** Breed detections of the whole site in a day; 0: no limit. */
  detectionsPerDay: number
  /** Requests of the whole site to Mapbox in a day; 0: no limit. */
  geocodesPerDay: number
  /** Bytes of photos that one member, or the visitors of one network, may store in a day, and of comments a hundredth; 0: no limit. */
  uploadBytesPerDay: number
  /** Bytes of photos that everybody together may upload in a day; 0: no limit. */
  siteUploadBytesPerDay: number
  /** Free bytes of the disk below which nothing is added; 0: not checked. */
  minFreeBytes: number
  /** Bytes that renders of photos may take of the disk; 0: no limit. */
  renderCacheBytes: number
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
  /** The bearer token of /metrics; undefined: the route is off. */
  metricsToken: string | undefined
  /** Time that a client has for its headers and for its whole request, s. */
  headersSeconds: number
  requestSeconds: number
  /** Time between the signal to stop and the end of new connections, in which a balancer learns of it, s. */
  drainSeconds: number
  /** Open connections of one site (IPv4 address or IPv6 /48); 0: no limit. Not applied behind a proxy. */
  connectionsPerSite: number
  /** Bytes of answers that may wait in memory for the readers of one address, and twice as many for all; 0: no limit. */
  unreadBytesPerSite: number
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
  systemd: SystemdSettings
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
  const result = envSchema.safeParse(given)
  if (!result.success) {
    const issue = result.error.issues[0]!
    const name = String(issue.path[0])
    const shown = isSecretSetting(name) ? '…' : given[name]
    throw new EnvError(`${name}=${shown}: valor no válido (se esperaba ${describeExpected(name, issue.message)}).`)
  }
  const env = result.data
  return {
    host: env.HOST,
    port: env.PORT,
    siteUrl: env.SITE_URL && new URL(env.SITE_URL).origin,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    bucket: parseBucket(env),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    operator: { name: env.OPERATOR_NAME, email: env.OPERATOR_EMAIL, address: env.OPERATOR_ADDRESS },
    adminEmail: env.ADMIN_EMAIL?.toLowerCase(),
    trustProxy: env.TRUST_PROXY === '1' || env.TRUST_PROXY === 'true',
    detection: parseDetection(env),
    reviewAnonymousDogs: env.HOLD_ANONYMOUS === 'on',
    serviceWorker: env.SERVICE_WORKER === 'on',
    pageCacheBytes: env.PAGE_CACHE === 'off' ? 0 : Number(env.PAGE_CACHE) * 1_000_000,
    pageCachePollMs: env.PAGE_CACHE_POLL_MS ?? env.PAGE_CACHE_LOOK,
    rendersPerMinute: env.RENDERS_PER_MINUTE,
    visitorDogsPerDay: env.VISITOR_DOGS_PER_DAY,
    anonymousReviewsMax: env.VISITOR_DOGS_TO_REVIEW,
    detectionsPerDay: env.DETECTION_PER_DAY ?? env.DETECTIONS_PER_DAY,
    geocodesPerDay: env.GEOCODES_PER_DAY,
    uploadBytesPerDay: env.UPLOAD_MB_PER_DAY * 1_000_000,
    siteUploadBytesPerDay: env.SITE_UPLOAD_MB_PER_DAY * 1_000_000,
    minFreeBytes: env.MIN_FREE_MB * 1_000_000,
    renderCacheBytes: env.RENDER_CACHE_MB * 1_000_000,
    accountsPerDay: env.ACCOUNTS_PER_DAY,
    accountsPerHour: env.ACCOUNTS_PER_HOUR,
    log: { style: env.LOG, level: env.LOG_LEVEL, requests: env.LOG_REQUESTS === 'on', slowAfterMs: env.LOG_SLOW },
    metricsToken: env.METRICS_TOKEN,
    headersSeconds: env.HEADERS_SECONDS,
    requestSeconds: env.REQUEST_SECONDS,
    drainSeconds: env.DRAIN_SECONDS,
    connectionsPerSite: env.CONNECTIONS_PER_IP,
    unreadBytesPerSite: env.UNREAD_MB_PER_IP * 1_000_000,
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

const BUCKET_SETTINGS = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** @throws EnvError where some of the five settings are missing, but not all */
function parseBucket(env: Settings): BucketSettings | undefined {
  const missing = BUCKET_SETTINGS.filter((name) => env[name] === undefined)
  if (missing.length === BUCKET_SETTINGS.length) return undefined
  const [endpoint, bucket, region, accessKeyId, secretAccessKey] = BUCKET_SETTINGS.map((name) => env[name] ?? '')
  if (!endpoint || !bucket || !region || !accessKeyId || !secretAccessKey)
    throw new EnvError(
      `falta ${missing.join(', ')}: las fotos se guardan en un bucket con los cinco valores S3_… o, sin ninguno, en DATA_DIR.`,
    )
  return { endpoint: new URL(endpoint).origin, bucket, region, accessKeyId, secretAccessKey }
}

/** The operator's own server, before Gemini. @throws EnvError where only a part of it is set */
function parseDetection(env: Settings): DetectionSettings | undefined {
  const timeoutMs = env.DETECTION_SECONDS * 1000
  const { DETECTION_URL: url, DETECTION_MODEL: model, DETECTION_KEY: key } = env
  if (url !== undefined && model === undefined)
    throw new EnvError('falta DETECTION_MODEL: con DETECTION_URL hay que decir qué modelo mira las fotos.')
  if (url === undefined && (model !== undefined || key !== undefined))
    throw new EnvError('falta DETECTION_URL: DETECTION_MODEL y DETECTION_KEY son del servidor que mira las fotos.')
  if (url !== undefined && model !== undefined) return { service: 'chat-completions', key, url, model, timeoutMs }
  if (env.GEMINI_API_KEY === undefined) return undefined
  return { service: 'gemini', key: env.GEMINI_API_KEY, url: env.GEMINI_URL, model: env.GEMINI_MODEL, timeoutMs }
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

function describeExpected(name: string, message: string): string {
  if (name === 'PORT') return 'un número entre 0 y 65535'
  if (name === 'TRUST_PROXY') return '0 o 1'
  if (name === 'SERVICE_WORKER') return 'on u off'
  if (name === 'BACKUPS') return 'off, o días, semanas y meses como 7,4,6'
  if (name === 'PAGE_CACHE') return 'megabytes, de 1 a 9999, u off'
  if (name === 'PAGE_CACHE_POLL_MS' || name === 'PAGE_CACHE_LOOK') return 'milisegundos'
  if (/_PER_(MINUTE|HOUR|DAY|IP)$/.test(name)) return 'un número; 0 para no limitar'
  if (name === 'MIN_FREE_MB') return 'megabytes; 0 para no mirarlo'
  if (name === 'RENDER_CACHE_MB') return 'megabytes; 0 para no limitar'
  if (name === 'LOG') return 'pretty, json u off'
  if (name === 'LOG_LEVEL') return 'debug, info, warn o error'
  if (name === 'LOG_REQUESTS') return 'on u off'
  if (name === 'LOG_SLOW') return 'milisegundos'
  if (name === 'DRAIN_SECONDS') return 'segundos; 0 para no esperar'
  if (name === 'DETECTION_SECONDS') return 'segundos, de 1 a 120'
  if (name.endsWith('_SECONDS')) return 'segundos, de 1 a 3600'
  return message
}

let env: Env | undefined

/** The environment of this process, read once. */
export function getEnv(): Env {
  return (env ??= readEnv(process.env))
}

/** The site's address for links in mails. Never the Host header: the requester of a mail would choose where its link leads. */
export const siteBase = (): string => getEnv().siteUrl ?? `http://localhost:${getEnv().port}`

/**
 * The site's origin for links in the answer to this request; without SITE_URL that of the Host header, which the requester alone chooses and
 * sees. Mails have `siteBase`.
 */
export const siteOrigin = ({ headers }: Request): string =>
  getEnv().siteUrl ?? `http://${headers.get('host') ?? `localhost:${getEnv().port}`}`

/** True where the site is served over https, so that its cookies may be `Secure`. */
export const isHttpsSite = (): boolean => getEnv().siteUrl?.startsWith('https:') ?? false
