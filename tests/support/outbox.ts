import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface OutboxMail {
  file: string
  raw: string
  /** Header lines by name in lower case, unfolded. */
  headers: Record<string, string>
  text: string
  html: string
  link: string
  code: string
}

/** The mails in a data directory's outbox, oldest first, read as any person would: they are plain UTF-8. */
export function readOutbox(dataDir: string): OutboxMail[] {
  const outbox = join(dataDir, 'outbox')
  if (!existsSync(outbox)) return []
  const files = readdirSync(outbox)
    .filter((name) => name.endsWith('.eml'))
    .sort()
  return files.map((file) => parse(file, readFileSync(join(outbox, file), 'utf8')))
}

/** The newest mail to `email`. @throws when there is none */
export function lastMailTo(dataDir: string, email: string): OutboxMail {
  const mail = readOutbox(dataDir).findLast((m) => m.headers.to === email)
  if (!mail) throw new Error(`No mail to ${email} in ${dataDir}`)
  return mail
}

/** Encoded words of a header (RFC 2047) as a person reads them. */
const readWords = (value: string): string =>
  value.replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) =>
    decodeURIComponent(word.replaceAll('_', ' ').replaceAll('=', '%')),
  )

function parse(file: string, raw: string): OutboxMail {
  const [head = ''] = raw.split('\n\n', 1)
  const headers = Object.fromEntries(
    head
      .replace(/\n[ \t]+/g, ' ')
      .split('\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        readWords(line.slice(line.indexOf(':') + 1).trim()),
      ]),
  )
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')![1]!
  const parts = raw.split(`--${boundary}`).slice(1, 3)
  const body = (part: string) => part.slice(part.indexOf('\n\n') + 2)
  const [text = '', html = ''] = parts.map(body)
  return {
    file,
    raw,
    headers,
    text,
    html,
    link: /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '',
    code: /^\d{6}$/m.exec(text)?.[0] ?? '',
  }
}
