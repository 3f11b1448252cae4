import { domainToASCII } from 'node:url'
import { parseFlash } from '#features/auth/flash-cookie.ts'
import { availableProviders } from '#lib/auth/oauth-providers.ts'
import { emailError, normalizeEmail, SIGN_IN_TEXTS, toSendingError } from '#features/auth/sign-in/sign-in.ts'
import { codeInput, magicLinkInput } from '#features/auth/sign-in/sign-in-input.ts'
import { buildAddressCodeMail, buildConfirmationMail, buildSignInMail } from '#features/auth/sign-in/sign-in-mail.ts'
import { assert, suite } from '#tests/support/suites.ts'

const email = suite('unit/auth/sign-in-input: addresses and codes')

email('an empty address is refused with the specified message', () => {
  for (const typed of ['', '   ', '\n']) assert.is(emailError(typed), 'Por favor, introduce tu email')
})

email('an invalid address is refused', () => {
  for (const typed of [
    'ana',
    'ana@',
    '@x.es',
    'ana@x',
    'a na@x.es',
    'ana@x..es',
    'ana@x.es.',
    'ana@b@x.es',
    `${'a'.repeat(250)}@x.es`,
  ])
    assert.is(emailError(typed), 'Introduce un email válido', typed)
})

email('text that could split a header or name a second recipient is refused', () => {
  for (const typed of [
    'ana@x.es\r\nBcc: todos@x.es',
    'ana@x.es\nBcc:todos@x.es',
    'ana@x.es,bea@x.es',
    'ana@x.es;bea@x.es',
    'Ana <ana@x.es>',
    '"ana"@x.es',
    'ana\u0000@x.es',
    'ana@x.es\u2028y.es',
    'ana\u202e@x.es',
    'grupo:ana@x.es',
    'ana(nota)@x.es',
  ])
    assert.is(emailError(typed), 'Introduce un email válido', JSON.stringify(typed))
})

/** Accepted domains by what DNS holds of them. */
const DOMAINS: Record<string, string> = {
  'x.es': 'x.es',
  'X.ES': 'x.es',
  '1.x1.es': '1.x1.es',
  'a-b.c--d.es': 'a-b.c--d.es',
  [`${'a'.repeat(63)}.es`]: `${'a'.repeat(63)}.es`,
  [`${'a.'.repeat(124)}es`]: `${'a.'.repeat(124)}es`,
  'ñandú.es': 'xn--and-6ma2c.es',
  'xn--and-6ma2c.es': 'xn--and-6ma2c.es',
  'paral·lel.cat': 'xn--parallel-koa.cat',
  'straße.de': 'xn--strae-oqa.de',
  'пример.испытание': 'xn--e1afmkfd.xn--80akhbyknj4f',
}
const isAccepted = (domain: string) => magicLinkInput.safeParse({ email: `a@${domain}` }).success

email('a domain is labels of letters, digits and inner hyphens, up to 63 each, after its conversion to ASCII', () => {
  for (const [domain, ascii] of Object.entries(DOMAINS)) {
    assert.is(domainToASCII(domain), ascii)
    assert.ok(isAccepted(domain), domain)
  }
  const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
  const inLabels = ASCII.filter((char) => isAccepted(`a${char}b.es`)).join('')
  assert.is(inLabels, '-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  for (const place of [(char: string) => `${char}ab.es`, (char: string) => `ab${char}.es`])
    assert.is(ASCII.filter((char) => isAccepted(place(char))).join(''), inLabels.slice(2))
  for (const domain of [
    'es',
    '-.es',
    'x.-es',
    'x.es-',
    'x..es',
    '.x.es',
    'x.es.',
    `${'a'.repeat(64)}.es`,
    `x.${'a'.repeat(64)}`,
    `${'ñ'.repeat(60)}.es`,
    // Within 254 characters as typed, beyond 253 in ASCII.
    `${'ñ.'.repeat(40)}es`,
    'x.es/y',
    'x.es?y.es',
    'x.es#y.es',
    'x%2ees.es',
    'x_y.es',
    '127.0.0.1',
    '0x7f.1',
    '2130706433.1',
    'x.1',
    'x\u200d.es',
    'x.e\u00ads',
  ])
    assert.is(
      magicLinkInput.safeParse({ email: `a@${domain}` }).error?.issues[0]?.message,
      'Introduce un email válido',
      domain,
    )
})

email('no character of a domain stands for another that DNS would not hold', () => {
  let international = 0
  for (let point = 0x80; point <= 0x1_ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue
    const domain = `a${String.fromCodePoint(point)}b.es`
    if (!isAccepted(domain)) continue
    international++
    assert.match(domainToASCII(domain), /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/, point.toString(16))
  }
  assert.ok(international > 50_000, `${international}`)
})

email('valid addresses are accepted, trimmed and in lower case', () => {
  const kept = (typed: string) => magicLinkInput.parse({ email: typed }).email
  assert.is(kept('  Ana.Pérez+perro@Ejemplo.ES '), 'ana.pérez+perro@ejemplo.es')
  assert.is(kept("o'brien@sub.ejemplo.co.uk"), "o'brien@sub.ejemplo.co.uk")
  assert.is(kept('ana@ñandú.es'), 'ana@ñandú.es')
})

email('a code may contain spaces; letters and other lengths are refused', () => {
  const parse = (code: unknown) => codeInput.safeParse({ email: 'ana@x.es', code })
  assert.is(parse(' 123 456 ').data?.code, '123456')
  for (const typed of ['123-456', '123456.', 'Tu código es 123 456', 'código: 123456 (vale 15 minutos)', '«123456»'])
    assert.is(parse(typed).data?.code, '123456', typed)
  for (const code of ['12345', '1234567', '12345a', '', null, 123456, '１２３４５６'])
    assert.not.ok(parse(code).success)
})

email('a character that normalises to plain letters is refused, and all others stay unchanged', () => {
  const kept = new Map<string, string>()
  const taken: string[] = []
  for (let point = 0x80; point <= 0x1_ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue
    const email = `mar${String.fromCodePoint(point)}@ejemplo.es`
    if (emailError(email) !== null) continue
    const folded = normalizeEmail(email)
    if (/^[\x20-\x7e]*$/.test(folded)) taken.push(`${point.toString(16)} → ${folded}`)
    kept.set(email, folded)
  }
  assert.equal(taken, [])
  assert.ok(kept.size > 50_000)
  for (const sign of ['\u212A', '\u017F', '\uFF4B', '\u0130', '\u24DA'])
    assert.is(emailError(`mar${sign}@ejemplo.es`), SIGN_IN_TEXTS.badEmail, sign)
  assert.is(magicLinkInput.safeParse({ email: 'mar\u212A@ejemplo.es' }).success, false)
  assert.is(codeInput.safeParse({ email: 'mar\u212A@ejemplo.es', code: '123456' }).success, false)
})

email('composed and decomposed spellings of an address are equal', () => {
  const parse = (email: string) => magicLinkInput.parse({ email }).email
  assert.is(parse(' PEN\u0303A@ejemplo.es '), 'pe\u00f1a@ejemplo.es')
  assert.is(parse('Pe\u00f1a@ejemplo.es'), 'pe\u00f1a@ejemplo.es')
})

const words = suite('unit/auth/sign-in-input: messages')

words('a link that could not be sent shows the reason, if the response has one', () => {
  assert.is(toSendingError(422, 'Introduce un email válido'), 'Introduce un email válido')
  assert.is(toSendingError(429, 'Espera un momento.'), 'Error enviando el enlace: Espera un momento.')
  assert.is(
    toSendingError(500, 'Error inesperado. Intenta de nuevo.'),
    'Error al enviar el enlace. Inténtalo de nuevo.',
  )
  assert.is(toSendingError(0, undefined), 'Error al enviar el enlace. Inténtalo de nuevo.')
})

words('the mail has the link on one line and the code on another', () => {
  const { text, html, subject } = buildSignInMail({
    link: 'http://localhost:4321/login/enlace?token=abc',
    code: '012345',
    minutes: 15,
  })
  assert.is(subject, '012 345 es tu código de Perrario')
  assert.ok(text.split('\n').includes('http://localhost:4321/login/enlace?token=abc'))
  assert.ok(text.split('\n').includes('012345'))
  assert.match(text, '15 minutos')
  assert.match(html, 'href="http://localhost:4321/login/enlace?token=abc"')
  assert.match(html, '>012345<')
})

words('every mail with a code says that nobody else needs it', () => {
  const mails = [
    buildSignInMail({ link: 'http://localhost:4321/', code: '012345', minutes: 15 }),
    buildConfirmationMail('012345', 15),
    buildAddressCodeMail('012345', 15, 'ana'),
  ]
  for (const part of mails.flatMap(({ text, html }) => [text, html]))
    assert.match(part, 'No se lo digas a nadie, tampoco a quien diga haber encontrado a tu perro.')
})

words('a provider has a button only if it is configured', () => {
  assert.equal(availableProviders({}), [])
  assert.equal(availableProviders({ github: {}, apple: {}, facebook: {}, google: {} }), [
    'google',
    'facebook',
    'apple',
    'github',
  ])
  assert.equal(availableProviders({ github: {}, google: undefined }), ['github'])
})

words('form memory survives its cookie; any other cookie value is ignored', () => {
  const memory = { email: 'ana;ñ"@x.es', error: 'Introduce un email válido' }
  assert.equal(parseFlash(JSON.stringify(memory)), memory)
  const failure = { provider: 'google', kind: 'refused', message: 'No <b>' } as const
  assert.equal(parseFlash(JSON.stringify({ ...memory, failure })), { ...memory, failure })
  assert.is(parseFlash('{"failure":{"provider":"otro","kind":"refused","message":""}}').failure, undefined)
  for (const bad of [undefined, '', '%', 'null', '[]', '{"email":1}'])
    assert.equal(parseFlash(bad), { email: '', error: '' })
})
