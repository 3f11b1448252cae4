import { trimEndWhile } from '#lib/text/text.ts'
import { domainToASCII } from 'node:url'

/** Domains of one provider that deliver to the same mailbox. */
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
/** Characters that a provider ignores before the @. */
const IGNORED_CHARACTERS: Readonly<Record<string, RegExp>> = {
  'gmail.com': /\./g,
  'proton.me': /[._-]/g,
  'yandex.ru': /[.-]/g,
}
/** Yahoo's domains, where «-» also starts a subaddress; «+» does everywhere. */
const YAHOO_DOMAINS = /^(yahoo\.[a-z.]+|ymail\.com|rocketmail\.com)$/

/**
 * The mailbox that most probably receives mails to `email`: folds case, width, composition, subaddresses («+…»), characters that
 * the provider ignores, and a provider's domains. Used for rate limits only, never as an account's identity: it rather folds
 * too much, since two people taken for one merely share a limit.
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
