import * as z from 'zod/mini'

const port = z.pipe(z.coerce.number(), z.int().check(z.gte(0), z.lte(65535)))
const optional = z.optional(z.string())

/** A site address without path, as browsers send it in Origin: `https://perrario.example`. */
const siteUrl = z.string().check(
  z.refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username
  }, 'una dirección http(s) sin ruta'),
)
const url = z.string().check(z.refine((text) => URL.canParse(text), 'una dirección'))
const mailUrl = z.string().check(z.regex(/^smtps?:\/\/./, 'una dirección smtp:// o smtps://'))
const email = z.string().check(z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'una dirección de correo'))

const provider = (name: string) => ({
  [`${name}_CLIENT_ID`]: optional,
  [`${name}_CLIENT_SECRET`]: optional,
  [`${name}_ISSUER`]: z.optional(url),
})

const schema = z.object({
  HOST: z._default(z.string(), '0.0.0.0'),
  PORT: z._default(port, 4321),
  SITE_URL: z.optional(siteUrl),
  DATA_DIR: z._default(z.string(), './var'),
  SMTP_URL: z.optional(mailUrl),
  MAIL_FROM: z._default(z.string(), 'Perrario <perrario@localhost>'),
  ADMIN_EMAIL: z.optional(email),
  GEMINI_API_KEY: optional,
  GEMINI_URL: z.optional(url),
  GEMINI_MODEL: optional,
  ...provider('GOOGLE'),
  ...provider('FACEBOOK'),
  ...provider('GITHUB'),
  ...provider('APPLE'),
  APPLE_TEAM_ID: optional,
  APPLE_KEY_ID: optional,
  APPLE_PRIVATE_KEY: optional,
  PUSH_HOSTS: optional,
  TILE_URL: optional,
  TILE_ATTRIBUTION: optional,
  MAPBOX_TOKEN: optional,
  TRUST_PROXY: z._default(z.enum(['0', '1', 'true', 'false', '']), '0'),
})

export interface Env {
  host: string
  port: number
  /** The public origin; undefined lets any Host stand. */
  siteUrl: string | undefined
  dataDir: string
  smtpUrl: string | undefined
  mailFrom: string
  adminEmail: string | undefined
  trustProxy: boolean
  /** Social sign-in that has both its values. */
  providers: { google: boolean; facebook: boolean; apple: boolean; github: boolean }
}

/** Thrown by `readEnv`: `message` is one line that names the variable and what is wanted. */
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
    throw new EnvError(`${name}=${given[name]}: valor no válido (se esperaba ${wanted(name, issue.message)}).`)
  }
  const env = result.data as Record<string, any>
  const pair = (name: string) => Boolean(env[`${name}_CLIENT_ID`] && env[`${name}_CLIENT_SECRET`])
  return {
    host: env.HOST,
    port: env.PORT,
    siteUrl: env.SITE_URL && new URL(env.SITE_URL).origin,
    dataDir: env.DATA_DIR,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    adminEmail: env.ADMIN_EMAIL?.toLowerCase(),
    trustProxy: env.TRUST_PROXY === '1' || env.TRUST_PROXY === 'true',
    providers: {
      google: pair('GOOGLE'),
      facebook: pair('FACEBOOK'),
      github: pair('GITHUB'),
      apple: Boolean(env.APPLE_CLIENT_ID && env.APPLE_TEAM_ID && env.APPLE_KEY_ID && env.APPLE_PRIVATE_KEY),
    },
  }
}

function wanted(name: string, message: string): string {
  if (name === 'PORT') return 'un número entre 0 y 65535'
  if (name === 'TRUST_PROXY') return '0 o 1'
  return message
}

let env: Env | undefined

/** The environment of this process, read once. */
export function getEnv(): Env {
  return (env ??= readEnv(process.env))
}
