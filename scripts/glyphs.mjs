// node scripts/glyphs.mjs <folder>: writes data/letters/*.json, the glyph outlines of the text in pictures
// (features/share/glyphs.server.ts). Run it where the project is installed; <folder> is outside of it and has had
// `npm i subset-font fontkit`, which nothing else needs.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const require = createRequire(join(resolve(process.argv[2] ?? '.'), 'package.json'))
const subsetFont = require('subset-font')
const fontkit = require('fontkit')

const FONTS = [
  ['bricolage-800', 'bricolage-grotesque', 800],
  ['figtree-600', 'figtree', 600],
]

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))
/** The characters of Spain's languages (ui/fonts/README.md): these get kerning pairs. */
const SPAIN = [...range(0x20, 0x7e), ...'¡§ª«°·º»¿ÀÁÇÈÉÍÏÑÒÓÚÜàáçèéíïñòóúü×–—‘’“”•…€−']
/** The characters of most other names in Latin script. */
const OTHERS = [
  [0xa1, 0x17f],
  [0x1cd, 0x1dc],
  [0x218, 0x21b],
  [0x1e80, 0x1e85],
  [0x2010, 0x2015],
].flatMap((ends) => range(...ends))
const ALL = [...new Set([...SPAIN, ...OTHERS, ...'ẞ‚„†‹›⁄™'])]
const COMMANDS = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z' }
/** Smaller kerning is left out, in thousandths of an em. */
const MIN_KERNING = 4

for (const [name, family, wght] of FONTS) {
  const parts = ['latin', 'latin-ext'].map((part) =>
    readFileSync(`node_modules/@fontsource-variable/${family}/files/${family}-${part}-wght-normal.woff2`),
  )
  const subsetOptions = { targetFormat: 'truetype', variationAxes: { wght } }
  const fonts = []
  for (const part of parts) fonts.push(fontkit.create(await subsetFont(part, ALL.join(''), subsetOptions)))
  const letters = {}
  for (const letter of ALL) {
    const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(letter.codePointAt(0)))
    if (!font) continue
    const { advanceWidth, path } = font.glyphForCodePoint(letter.codePointAt(0))
    const unit = 1000 / font.unitsPerEm
    const outline = path.commands.map(({ command, args }) => {
      const points = args.map((value, i) => Math.round((i % 2 ? -value : value) * unit))
      return COMMANDS[command] + points.join(' ').replaceAll(' -', '-')
    })
    letters[letter] = [Math.round(advanceWidth * unit), outline.join('')]
  }
  const [font] = fonts
  const unit = 1000 / font.unitsPerEm
  const paired = SPAIN.filter((letter) => letters[letter] && /[\p{L}\d.,«»·\- ]/u.test(letter))
  const kern = {}
  for (const left of paired)
    for (const right of paired) {
      const { glyphs, positions } = font.layout(left + right, { kern: true, liga: false })
      if (glyphs.length !== 2) continue
      const kerning = Math.round((positions[0].xAdvance - glyphs[0].advanceWidth) * unit)
      if (Math.abs(kerning) < MIN_KERNING) continue
      kern[left] = { ...kern[left], [right]: kerning }
    }
  const rows = (table) =>
    Object.entries(table).map(([key, row]) => `    ${JSON.stringify(key)}: ${JSON.stringify(row)}`)
  const text = `{
  "capHeight": ${Math.round(font.capHeight * unit)},
  "kern": {
${rows(kern).join(',\n')}
  },
  "letters": {
${rows(letters).join(',\n')}
  }
}
`
  writeFileSync(`data/letters/${name}.json`, text)
  console.log(`${name}: ${Object.keys(letters).length} letters, ${text.length} characters`)
}
