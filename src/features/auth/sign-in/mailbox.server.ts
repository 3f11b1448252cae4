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
  'anonaddy.me': 'anonaddy.com',
}
/** Characters that a provider ignores before the @. */
const IGNORED_CHARACTERS: Readonly<Record<string, RegExp>> = {
  'gmail.com': /\./g,
  'proton.me': /[._-]/g,
  'yandex.ru': /[.-]/g,
}
/**
 * Providers that deliver whatever is sent to `anything@user.domain` to one person, and say so: Fastmail for its own domains
 * (https://www.fastmail.help/hc/en-us/articles/360060591053), addy.io (https://addy.io/help/what-are-the-different-kinds-of-aliases/)
 * and Firefox Relay (https://support.mozilla.org/en-US/kb/general-questions-about-relay-email-domains).
 */
export const SUBDOMAIN_ADDRESSING: ReadonlySet<string> = new Set(
  `fastmail.cn fastmail.co.uk fastmail.com fastmail.com.au fastmail.de fastmail.es fastmail.fm fastmail.fr fastmail.im
  fastmail.in fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org fastmail.se fastmail.to fastmail.tw fastmail.uk
  fastmail.us 123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net allmail.net bestmail.us
  cluemail.com elitemail.org emailcorner.net emailengine.net emailengine.org emailgroups.net emailplus.org emailuser.net eml.cc
  f-m.fm fast-email.com fast-mail.org fastem.com fastemail.us fastemailer.com fastest.cc fastimap.com fastmailbox.net
  fastmessaging.com fea.st fmail.co.uk fmailbox.com fmgirl.com fmguy.com ftml.net h-mail.us hailmail.net imap-mail.com imap.cc
  imapmail.org inoutbox.com internet-e-mail.com internet-mail.org internetemails.net internetmailing.net jetemail.net
  justemail.net letterboxes.org mail-central.com mail-page.com mailandftp.com mailas.com mailbolt.com mailc.net mailcan.com
  mailforce.net mailftp.com mailhaven.com mailingaddress.org mailite.com mailmight.com mailnew.com mailsent.net mailservice.ms
  mailup.net mailworks.org ml1.net mm.st myfastmail.com mymacmail.com nospammail.net ownmail.net petml.com postinbox.com
  postpro.net proinbox.com promessage.com realemail.net reallyfast.biz reallyfast.info rushpost.com sent.as sent.at sent.com
  speedpost.net speedymail.org ssl-mail.com swift-mail.com the-fastest.net the-quickest.com theinternetemail.com veryfast.biz
  veryspeedy.net warpmail.net xsmail.com yepmail.net your-mail.com
  anonaddy.com anonaddy.me mozmail.com`.split(/\s+/),
)

/** `user` and `domain` of a subdomain address; null for other domains. */
function readSubdomainAddress(domain: string): { user: string; provider: string } | null {
  const labels = domain.split('.')
  const at = labels.findIndex((_, i) => i > 0 && SUBDOMAIN_ADDRESSING.has(labels.slice(i).join('.')))
  const user = labels[at - 1]
  return user === undefined ? null : { user, provider: labels.slice(at).join('.') }
}

/** Yahoo's domains, where «-» also starts a subaddress; «+» does everywhere. */
const YAHOO_DOMAINS = /^(yahoo\.[a-z.]+|ymail\.com|rocketmail\.com)$/

/**
 * The mailbox that most probably receives mails to `email`: folds case, width, composition, subaddresses («+…»), subdomain
 * addresses, characters that the provider ignores, and a provider's domains. Used for rate limits only, never as an account's identity:
 * it rather folds too much, since two people taken for one merely share a limit.
 */
export function toMailbox(email: string): string {
  const folded = email.normalize('NFKC').toLowerCase().normalize('NFKC')
  const at = folded.lastIndexOf('@')
  const written = trimEndWhile(folded.slice(at + 1), /\./)
  const ascii = domainToASCII(written) || written
  const subdomain = readSubdomainAddress(ascii)
  const host = subdomain?.provider ?? ascii
  const domain = DOMAIN_ALIASES[host] ?? host
  const local = subdomain?.user ?? folded.slice(0, at)
  const [untagged = local] = local.split(YAHOO_DOMAINS.test(domain) ? /[+-]/ : '+', 1)
  const base = untagged.replace(IGNORED_CHARACTERS[domain] ?? /$^/, '')
  return `${base || local}@${domain}`
}
