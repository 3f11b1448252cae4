import razas from '#data/razas.json' with { type: 'json' }
import { countries } from '#features/breeds/countries.ts'
import { coatPicture } from '#features/breeds/figures/coat.ts'
import { hasFlag } from '#features/breeds/figures/flags.ts'
import { purposePicture, sceneOf } from '#features/breeds/figures/purpose-scenes.ts'
import { FILE_COLOURS, FIGURE_NAMES, renderFigureFile } from '#features/breeds/figures/figure-files.ts'
import { originPicture } from '#features/breeds/figures/stamps.ts'
import {
  energyPicture,
  heightPicture,
  lifePicture,
  formatRange,
  weightPicture,
} from '#features/breeds/figures/tiles.ts'
import { assert, suite } from '#tests/support/suites.ts'

const facts = razas.map((raza) => ({ ...raza, slug: raza.imagen_purina.slice('/retratos/'.length, -'.svg'.length) }))

/** Tags nest, attributes are quoted and unique, nothing is left over. */
function wellFormed(svg: string): string | null {
  const open: string[] = []
  let at = 0
  for (const m of svg.matchAll(/([^<>]*)<(\/?)([a-zA-Z]+)((?: [a-zA-Z-]+="[^"<]*")*)(\/?)>/g)) {
    if (m.index !== at) return `stray text at ${at}: ${svg.slice(at, at + 60)}`
    at = m.index + m[0].length
    const names = [...m[4]!.matchAll(/ ([a-zA-Z-]+)=/g)].map((a) => a[1])
    if (new Set(names).size !== names.length) return `attribute twice in ${m[0]}`
    if (m[2]) {
      if (open.pop() !== m[3]) return `</${m[3]}> closes another tag`
    } else if (!m[5]) open.push(m[3]!)
  }
  return at !== svg.length ? 'stray text at the end' : open.length ? `unclosed <${open.at(-1)}>` : null
}

const figures = suite('unit/breeds/breed-figures')

figures('every tile of every breed is valid SVG with a label and no broken number', () => {
  for (const f of facts) {
    const drawn = [
      heightPicture(f),
      weightPicture(f),
      lifePicture(f.esperanza_vida_min, f.esperanza_vida_max),
      energyPicture(f.nivel_energia),
      coatPicture(f),
      purposePicture(f),
    ]
    for (const svg of [...drawn, ...originPicture(f.pais_origen).split(/(?<=<\/g><\/svg>)(?=<svg)/)]) {
      assert.is(wellFormed(svg), null, f.slug)
      assert.match(svg, /^<svg viewBox="[^"]+" role="img" aria-label="[^"]+"/)
      assert.not.match(svg, /NaN|undefined|null|Infinity/, f.slug)
    }
  }
})

figures('every country of the catalogue has its flag', () => {
  const missing = facts.flatMap((f) => countries(f.pais_origen)).filter((country) => !hasFlag(country))
  assert.equal([...new Set(missing)], [])
})

figures('the admin’s text for the origin is escaped in its stamp', () => {
  for (const origin of ['<img src=x onerror=ran=1>', '"><b>x', "O'Higgins & Cía", 'constructor']) {
    const svg = originPicture(origin)
    assert.is(wellFormed(svg), null, origin)
    assert.not.match(svg, /<(img|b)|native code/)
  }
  assert.match(originPicture("O'Higgins & Cía"), 'Sello con la bandera de O&#x27;Higgins &amp; Cía')
})

figures('a shared origin has two stamps, no origin has the globe', () => {
  assert.equal(countries('Alemania/Suiza'), ['Alemania', 'Suiza'])
  assert.is(originPicture('Alemania/Suiza').split('<svg viewBox="-4').length - 1, 2)
  assert.match(originPicture(''), /Sello con un globo terráqueo/)
})

figures('a stamp names its country with the article that it takes, and no landscape a flag', () => {
  const label = (origin: string) => /aria-label="([^"]+)"/.exec(originPicture(origin))![1]
  assert.is(label('España'), 'Sello con la bandera de España')
  assert.is(label('Estados Unidos'), 'Sello con la bandera de Estados Unidos')
  assert.is(label('Reino Unido'), 'Sello con la bandera del Reino Unido')
  assert.is(label('Países Bajos'), 'Sello con la bandera de los Países Bajos')
  assert.is(label('República Checa'), 'Sello con la bandera de la República Checa')
  assert.is(label('Tíbet (China)'), 'Sello con un paisaje del Tíbet')
  assert.is(label('Oriente Medio'), 'Sello con un paisaje de Oriente Medio')
})

figures('the scene depends on the purpose', () => {
  assert.is(sceneOf('pastoreo de ovejas'), 'sheep')
  assert.is(sceneOf('guarda de rebaños'), 'mountain')
  assert.is(sceneOf('tiro de trineos'), 'snow')
  assert.is(sceneOf('caza en madriguera'), 'burrow')
  assert.is(sceneOf('cobro de aves acuáticas'), 'water')
  assert.is(sceneOf('compañía'), 'home')
  assert.is(sceneOf('algo que el administrador escribió'), 'home')
})

figures('the energy fills that many balls', () => {
  const full = (level: string) => energyPicture(level).match(/class="ball"/g)!.length
  assert.equal(['baja', 'media', 'alta', 'muy alta', 'desconocida'].map(full), [2, 3, 4, 5, 3])
})

figures('ranges are formatted as Spanish numbers', () => {
  assert.equal([formatRange(22, 40), formatRange(5.4, 8), formatRange(12, 12)], ['22–40', '5,4–8', '12'])
})

/** The backgrounds of drawings (`--well` of ui/styles/tokens.css), and the required contrast of a colour with both. */
const BACKGROUNDS = ['#f3ecdf', '#211a14']
const MIN_CONTRAST: Record<string, number> = { '--collar': 3, '--park': 3, '--person': 1.5, '--line': 1.2 }

const channels = (colour: string) => (colour.match(/[\da-f]{2}/g) ?? []).map((hex) => Number.parseInt(hex, 16))
const linear = (value: number) =>
  value <= 0.04045 * 255 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
const luminance = ([r, g, b]: number[]) => 0.2126 * linear(r!) + 0.7152 * linear(g!) + 0.0722 * linear(b!)

/** WCAG's contrast of a colour, laid over the ground where it lets it through, with that ground. */
function contrast(colour: string, ground: string): number {
  const [below, [r, g, b, alpha = 255]] = [channels(ground), channels(colour)]
  const shown = [r!, g!, b!].map((value, i) => (value * alpha + below[i]! * (255 - alpha)) / 255)
  const [less, more] = [luminance(shown), luminance(below)].toSorted((a, b) => a - b)
  return (more! + 0.05) / (less! + 0.05)
}

figures('every drawing shown as a file is visible in light and dark, whatever the browser’s scheme', () => {
  for (const f of facts.slice(0, 20))
    for (const name of FIGURE_NAMES) {
      const file = renderFigureFile(f, name)
      assert.is(wellFormed(file), null, `${f.slug} ${name}`)
      assert.not.match(file, /prefers-color-scheme|light-dark|currentColor/, 'an <img> does not know the page')
      for (const [, token] of file.matchAll(/var\((--[\w-]+)\)/g))
        assert.ok(
          token === '--head' || Object.hasOwn(FILE_COLOURS, token!),
          `${f.slug} ${name} uses ${token}, which its file does not know`,
        )
    }
  for (const [token, colour] of Object.entries(FILE_COLOURS))
    for (const ground of BACKGROUNDS) {
      const found = contrast(colour, ground)
      assert.ok(found >= MIN_CONTRAST[token]!, `${token} on ${ground}: ${found.toFixed(2)}`)
    }
})
