/** From the Spanish colour list of a breed to a palette and markings. */
import type { Family } from '#features/breeds/portrait/types.ts'
import { luma, mix, shade, tint } from './colour-math.ts'
import {
  brindle,
  creamy,
  merle,
  solid,
  tanPoints,
  ticked,
  tricolour,
  withWhite,
  wolf,
  type Coloration,
} from './colour-schemes.ts'
import { BLACK, WHITE, colourWords } from './colour-words.ts'
import { pick, type Rng } from '#features/breeds/portrait/seeded-random.ts'

/** Comma-separated colours as separate coats; phrases that only make sense together are kept whole. */
export function parseColours(colores: string): { coats: [string, ...string[]]; mask: boolean; white: boolean } {
  const whole = colores
    .replace('negro, fuego y blanco', 'negro con fuego y blanco')
    .replace('negro, blanco y dorado', 'tricolor')
    .replace(/limón, rojas, negras o grises/, 'rojas')
    .replace('negras, amarillas o leonadas', 'amarillas')
    .replace('negras, canela o marrones', 'negras')
    .replace('blanco con negro, canela o azul', 'blanco con negro')
    .replace('blanco con negro, azul o marrón y fuego', 'blanco con negro y fuego')
    .replace('canela, limón o negro', 'canela')
  const parts = whole
    .split(',')
    .map((s) => s.trim())
    .filter(Boolean)
  const mask = parts.some((p) => p.startsWith('máscara')),
    white = parts.some((p) => /^con (marcas )?blanc/.test(p))
  const [first = 'leonado', ...others] = parts.filter((p) => !p.startsWith('máscara') && !p.startsWith('con '))
  return { coats: [first, ...others], mask, white }
}

const ANY_COLOUR: Partial<Record<Family, readonly string[]>> & { other: readonly string[] } = {
  sight: ['leonado', 'atigrado', 'blanco y negro', 'azul', 'crema', 'negro'],
  spitz: ['gris y blanco', 'negro y blanco', 'rojo', 'negro y fuego', 'crema'],
  other: ['leonado', 'negro y blanco', 'tricolor', 'dorado', 'blanco y marrón', 'atigrado', 'gris', 'negro y fuego'],
}

/** Palette and markings of one coat description. */
export function coloration(text: string, family: Family, random: Rng): Coloration {
  let v = text
  if (/todos los colores|variable/.test(v)) v = pick(random, ANY_COLOUR[family] ?? ANY_COLOUR.other)
  if (/^(bicolor|pío|pinto|con blanco)$/.test(v)) v = 'negro y blanco'
  if (/arlequín azul|azul arlequín/.test(v)) v = 'mirlo azul'
  if (v === 'moteado') v = 'hígado ruano'
  if (v === 'ruano') v = 'marrón ruano'
  if (v === 'mirlo') v = 'mirlo azul'
  const words = colourWords(v),
    white = words.some((w) => w.word === 'blanco') || v.includes('blanc'),
    ink = words.filter((w) => w.word !== 'blanco')
  const first = ink[0],
    c = first ? varyShade(first.colour, random) : WHITE,
    tan = v.includes('fuego') && !v.includes('rojo fuego')
  const hound = family === 'hound',
    has = (re: RegExp) => re.test(v)

  if (has(/rosado/))
    return {
      pal: {
        ...solid('#dfb0a0'),
        second: '#6f6468',
        ear: '#cf9c8d',
        muzzle: '#ecc6b8',
        nose: '#7b5552',
        top: WHITE,
        ruff: WHITE,
      },
      marks: ['skinSpots'],
    }
  if (has(/tricolor/) || (white && tan))
    return tricolour(family, has(/azul/), has(/cabeza|blanco (con|y) negro/), random)
  if (has(/mirlo/)) return merle(has(/rojo/), hound)
  if (has(/arlequín/))
    return { pal: { ...solid(WHITE), second: BLACK, ear: BLACK, eye: '#2c1e17' }, marks: ['harlequin'] }
  if (has(/moteado|belton|ruano/)) return ticked(v, c, first?.word ?? '', family, white)
  if (has(/atigrado|bardino|verdino|barcino/)) return brindle(v, c, ink.length > 0, white)
  if (has(/lobero|lobo|jabalí|gris negro|gris rojizo/)) return wolf(c, family)
  if (has(/cebellina/))
    return {
      pal: {
        ...solid(c),
        second: '#5a3a22',
        muzzle: '#f7ead6',
        ruff: white ? '#fffaf1' : tint(c, 0.3),
        chest: '#fffaf1',
        ear: shade(c, 0.35),
      },
      marks: white ? ['sable', 'blaze'] : ['sable'],
    }
  if (has(/sésamo/))
    return { pal: { ...solid(c), second: '#4a3527', ...creamy('#f7e6cd') }, marks: ['urajiro', 'sable'] }
  if (has(/pimienta/))
    return {
      pal: { ...solid('#7d8286'), beard: '#e4e3de', muzzle: '#c9cac7', top: '#85898d' },
      marks: has(/sal/) ? ['pepper'] : [],
    }
  if (has(/negro y plata/))
    return {
      pal: { ...solid(BLACK), tan: '#d9d7d0', beard: '#dcdad3', muzzle: '#cfcdc6', chest: '#d9d7d0' },
      marks: ['tan'],
    }
  if (has(/manto negro/))
    return {
      pal: {
        ...solid('#bf7a3b'),
        body: BLACK,
        second: BLACK,
        ear: shade('#bf7a3b', 0.25),
        muzzle: white ? '#fffaf1' : tint('#bf7a3b', 0.25),
        chest: white ? '#fffaf1' : '#cf9252',
      },
      marks: white ? ['sable', 'blaze'] : ['sable'],
    }
  if (tan) return tanPoints(has(/^fuego/) ? BLACK : c, first?.word ?? '', random)
  if (has(/carbonado/))
    return { pal: { ...solid(c), second: '#3c2d24', ear: shade(c, 0.55), mask: '#352a25' }, marks: ['sable', 'mask'] }
  if (white && first) return withWhite(v, c, first.word, family, random)
  if (!first && has(/manch/)) {
    const k = pick(random, ['#c4732f', BLACK, '#c9893f'])
    return withWhite('blanco con manchas', k, '', family, random)
  }
  if (!first) return { pal: { ...solid(WHITE), second: '#e8dcc8' }, marks: [] }
  const pal = solid(c, first.word)
  if (/azul|gris|plata|isabela|plomo|acero/.test(first.word) && !hound) pal.nose = mix('#34343a', c, 0.15)
  if (/gris (plata|corzo|ratón)/.test(first.word)) {
    pal.eye = '#b98d3e'
    pal.nose = '#6c5a55'
  }
  if (family === 'spitz' && luma(c) > 0.33 && luma(c) < 0.85) Object.assign(pal, creamy(mix(c, '#fff3dc', 0.72)))
  return { pal, marks: family === 'spitz' && luma(c) > 0.33 && luma(c) < 0.85 ? ['urajiro'] : [] }
}

/** A breed's own shade of a colour, so that two breeds of one colour word still differ. */
function varyShade(c: string, random: Rng): string {
  const k = random() * 0.16 - 0.08
  return luma(c) < 0.25
    ? mix(c, random() < 0.5 ? '#3b342c' : '#2d2d33', random() * 0.5)
    : k < 0
      ? mix(c, '#8a4520', -k)
      : mix(c, '#f2dcb8', k)
}
