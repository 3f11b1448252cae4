import { trimEndWhile } from '#lib/text/text.ts'
import { domainToASCII } from 'node:url'

/** Domains behind which lies the same mailbox. */
const DOMAIN_ALIASES: Readonly<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'protonmail.com': 'proton.me',
  'protonmail.ch': 'proton.me',
  'pm.me': 'proton.me',
  'me.com': 'icloud.com',
  'mac.com': 'icloud.com',
  'ya.ru': 'yandex.ru',
  'yandex.com': 'yandex.ru',
}
/** What a provider does not read in the part before the @. */
const IGNORED_CHARACTERS: Readonly<Record<string, RegExp>> = {
  'gmail.com': /\./g,
  'proton.me': /[._-]/g,
  'yandex.ru': /[.-]/g,
}
/** Where a provider's own addresses for one purpose begin; «+» everywhere. */
const YAHOO_DOMAINS = /^(yahoo\.[a-z.]+|ymail\.com|rocketmail\.com)$/

/**
 * The mailbox in which mails to `email` most probably arrive: case, width, composition, «+…», dots that Gmail does not read,
 * names of one provider, a domain's spelling. It serves limits alone: two people whom it takes for one share a limit and
 * nothing else, so it folds more rather than less. Never the identity of an account.
 */
export function toMailbox(email: string): string {
  const folded = email.normalize('NFKC').toLowerCase().normalize('NFKC')
  const at = folded.lastIndexOf('@')
  const written = trimEndWhile(folded.slice(at + 1), /\./)
  const ascii = domainToASCII(written) || written
  const domain = DOMAIN_ALIASES[ascii] ?? ascii
  const local = folded.slice(0, at)
  const base = local
    .split(YAHOO_DOMAINS.test(domain) ? /[+-]/ : '+', 1)[0]!
    .replace(IGNORED_CHARACTERS[domain] ?? /$^/, '')
  return `${base || local}@${domain}`
}
