import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const PRODUCT = 'docs/product.md'
const FOLDERS = ['.github', 'data', 'db', 'deploy', 'docs', 'scripts', 'src', 'tests']
const FILES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'astro.config.mjs', '.env.example']
const ENDINGS = ['.ts', '.tsx', '.mjs', '.js', '.astro', '.css', '.md', '.yml', '.json', '.service', '.timer']

const sources = [...listFiles(FOLDERS, ENDINGS), ...FILES].map((path) => ({ path, text: readSource(path) }))
const product = readSource(PRODUCT)

/** A heading's number as its anchor has it, and as it is read. */
const HEADING = /^(##|###) <a id="s([\d.]+)"><\/a>(\d+(?:\.\d+)?)\.? \S/
const headings = product.split('\n').filter((line) => line.startsWith('#') && !line.startsWith('# '))
const numbers = headings.map((line) => HEADING.exec(line)?.[3] ?? line)
const knownSections = new Set(numbers)

/** `path:line: what` of every match, by the number that `pattern` holds. */
const citationsIn = ({ path, text }: { path: string; text: string }, pattern: RegExp) =>
  text
    .split('\n')
    .flatMap((line, at) =>
      [...line.matchAll(pattern)].map((match) => ({ number: match[1]!, where: `${path}:${at + 1}: §${match[1]}` })),
    )

/** Documents that others have and the project has not; spelt so that this line is none of its own finds. */
const FOREIGN_DOCUMENTS = /(?<![\w/-])(?:spec|decisions)\.md/

/** Quotes of the description that the sources put together from pieces. */
const COMPOSED_QUOTES = [
  'Ya hay {n} perfiles registrados. Únete gratis y empieza tu álbum.',
  'Prueba con otra parte del nombre o mira todas las razas.',
  'Continuar con Google',
  'Lo revisaremos antes de publicarlo.',
  'Error guardando el perro: {…}',
  '{n} perros en esta zona',
]

const oneLine = (text: string) => text.replace(/\s+/g, ' ')
const sourceTexts = oneLine(
  [...listFiles(['src'], ['.ts', '.tsx', '.astro', '.css']), 'data/challenges.json']
    // A comment may say what no screen says.
    .map((path) => readSource(path).replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, ''))
    .join('\n'),
)
const quotes = [...oneLine(product).matchAll(/«((?:[^«»]|«[^«»]*»)*)»/g)].map((match) => match[1]!)
/** What stands around a quote's placeholders and figures, where it is long enough to be looked for. */
const piecesOf = (quote: string) =>
  quote
    .split(/\{[^}]*\}|…|«|»|\d+/)
    .map((piece) => piece.trim())
    .filter((piece) => piece.length > 3)

const guard = suite('citations')

guard('every section of the description has a number of its own, the same in its anchor', () => {
  assertNone(
    headings,
    (line) => {
      const match = HEADING.exec(line)
      return !match || match[2] !== match[3] || (match[1] === '##') === match[3]!.includes('.')
    },
    `a heading of ${PRODUCT} reads: ### <a id="s4.1"></a>4.1 Filters`,
  )
  assert.ok(numbers.length > 100)
  assertNone(numbers, (number, at) => numbers.indexOf(number) !== at, 'numbered twice')
})

guard('every citation of the description leads to a section', () => {
  const cited = sources.flatMap((source) => citationsIn(source, /product\.md`? §(\d+(?:\.\d+)*)/g))
  const inside = citationsIn({ path: PRODUCT, text: product }, /§(\d+(?:\.\d+)*)/g)
  assert.ok(cited.length > 200)
  assert.ok(inside.length > 50)
  assert.equal(
    [...cited, ...inside].filter(({ number }) => !knownSections.has(number)).map(({ where }) => where),
    [],
    `no such section in ${PRODUCT}`,
  )
})

guard('nothing cites a document that is not in the project', () => {
  assert.equal(
    sources.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (FOREIGN_DOCUMENTS.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
    ),
    [],
    `cite the section of ${PRODUCT} that says it, or let the comment stand without`,
  )
})

guard('what the description quotes is said by the sources', () => {
  assert.ok(quotes.length > 300)
  const unsaid = [...new Set(quotes.filter((quote) => piecesOf(quote).some((piece) => !sourceTexts.includes(piece))))]
  assertNone(
    unsaid,
    (quote) => !COMPOSED_QUOTES.includes(quote),
    `${PRODUCT} quotes what no screen says: bring it up to date`,
  )
  assertNone(COMPOSED_QUOTES, (quote) => !unsaid.includes(quote), 'no longer needed in COMPOSED_QUOTES')
})
