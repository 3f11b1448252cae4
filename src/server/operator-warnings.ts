import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { join, resolve } from 'node:path'
import { log } from './log/log.ts'

// What the program notices of its settings and its machine while it serves, for the operator: each once in the log, and then by the
// doctor and on /admin until the next start.

/** In DATA_DIR, where the doctor, another process, reads it. */
const WARNINGS_FILE = 'warnings.json'

const warnings = new Map<WarningTopic, string>()
let file: string | undefined

/** More than an address of a site has: a browser's header may be anything. */
const MAX_ORIGIN_CHARS = 200

type WarningTopic = 'backups' | 'decoder' | 'proxy' | 'site-url'

/** Forgets the warnings of the last start. Until it is called nothing is stored. */
export function openOperatorWarnings(dataDir: string): void {
  warnings.clear()
  file = resolve(dataDir, WARNINGS_FILE)
  try {
    rmSync(file, { force: true })
  } catch {
    // A read-only disk: the log and /admin say it.
  }
}

/** Warns the operator, of each topic once. @param text a Spanish sentence without its full stop */
export function warnOperator(topic: WarningTopic, text: string): void {
  if (warnings.has(topic)) return
  warnings.set(topic, text)
  log().write('warn', text)
  try {
    if (file !== undefined) writeFileSync(file, JSON.stringify([...warnings.values()]), { mode: 0o600 })
  } catch {
    // As above.
  }
}

/** The warnings since this start. */
export const operatorWarnings = (): string[] => [...warnings.values()]

/** The warnings since the last start of the server of a folder. */
export function readOperatorWarnings(dataDir: string): string[] {
  try {
    return (JSON.parse(readFileSync(join(dataDir, WARNINGS_FILE), 'utf8')) as unknown[]).map(String)
  } catch {
    return []
  }
}

const NEAR_NETWORKS = new BlockList()
for (const [address, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  NEAR_NETWORKS.addSubnet(address, bits)
for (const [address, bits] of [
  ['::1', 128],
  ['fc00::', 7],
] as const)
  NEAR_NETWORKS.addSubnet(address, bits, 'ipv6')

/**
 * Warns of a proxy that is not trusted. Only of one on this machine or network: anybody else may send the headers, and trusting them
 * would end all limits.
 */
export function noticeProxy({ headers, socket }: IncomingMessage, trustProxy: boolean): void {
  if (trustProxy || warnings.has('proxy')) return
  const name = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP'].find(
    (header) => headers[header.toLowerCase()] !== undefined,
  )
  const { remoteAddress = '' } = socket
  if (!name || !NEAR_NETWORKS.check(remoteAddress, remoteAddress.includes(':') ? 'ipv6' : 'ipv4')) return
  warnOperator(
    'proxy',
    `TRUST_PROXY no está puesto y llegan peticiones con ${name}: todas las personas cuentan como una sola en los límites (al undécimo correo para entrar, nadie recibe otro). Si delante hay un proxy tuyo, pon TRUST_PROXY=1`,
  )
}

/** Warns of pages of this site that are at another origin than SITE_URL, whose writes are refused. @param origin as a browser sends it */
export function noticeOrigin(origin: string, siteUrl: string): void {
  warnOperator(
    'site-url',
    `SITE_URL es ${siteUrl}, pero se usa el sitio en ${URL.parse(origin)?.origin.slice(0, MAX_ORIGIN_CHARS) ?? 'otra dirección'}: ahí nadie puede entrar ni publicar. Corrige SITE_URL o lleva esa dirección a la otra`,
  )
}
