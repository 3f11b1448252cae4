/** Colour schemes: how a colour becomes the palette and the markings of a head family. */
import type { Family, Mark, Palette } from '#features/breeds/portrait/types.ts'
import { luma, mix, shade, tint } from './colour-math.ts'
import { BLACK, TAN, WHITE, isLiver } from './colour-words.ts'
import type { Rng } from '#features/breeds/portrait/seeded-random.ts'

export interface Coloration {
  pal: Palette
  marks: Mark[]
}

/** A coat of one colour, with its own lights and darks. */
export function solid(c: string, word = ''): Palette {
  const l = luma(c),
    dark = l < 0.33,
    white = l > 0.9
  const liver = isLiver(word)
  return {
    base: c,
    ear: shade(c, white ? 0.07 : dark ? 0.26 : 0.16),
    inner: dark ? mix('#c08a7e', c, 0.4) : white ? '#f0bfb2' : mix('#e8ae9e', c, 0.22),
    muzzle: white ? '#ffffff' : dark ? tint(c, 0.08) : tint(c, 0.18),
    chest: white ? '#ffffff' : tint(c, dark ? 0.07 : 0.2),
    body: shade(c, white ? 0.02 : 0.04),
    second: shade(c, 0.3),
    light: '#fffaf1',
    tan: TAN,
    mask: '#372b26',
    ruff: dark ? tint(c, 0.05) : white ? shade(c, 0.035) : shade(c, 0.06),
    top: dark ? tint(c, 0.06) : tint(c, 0.12),
    beard: white ? '#ffffff' : dark ? tint(c, 0.12) : tint(c, 0.3),
    eye: liver ? '#8a5a28' : dark ? '#543520' : '#2c1e17',
    nose: liver ? '#4d2f24' : dark ? '#171210' : '#2a201c',
  }
}

/** Cream parts of the spitz face. */
export const creamy = (c: string) => ({ muzzle: tint(c, 0.5), chest: c, light: c, ruff: mix(c, '#cf9a5c', 0.3) })

/** A dark coat with tan brows, cheeks and chest. */
export function tanPoints(c: string, word: string, random: Rng): Coloration {
  const tan = luma(c) > 0.42 ? '#c9884c' : isLiver(word) ? '#b97a45' : mix('#a35f2b', '#d09150', random()),
    p = solid(c, word)
  return {
    pal: { ...p, tan, muzzle: tan, chest: tan, beard: tan, light: tan, inner: mix('#b07d6c', c, 0.35) },
    marks: ['tan'],
  }
}

/** Black, tan and white: hounds wear it in five ways, the others as the Swiss dogs do. */
export function tricolour(family: Family, blue: boolean, whiteHead: boolean, random: Rng): Coloration {
  const tan = '#bf7638',
    light = '#fffaf1',
    ink = blue ? '#5d6a76' : BLACK
  if (family === 'hound') {
    const roll = random(),
      black = whiteHead || roll > 0.72,
      base = black ? ink : mix(tan, '#8f5226', random() * 0.5)
    const marks: Mark[] = black
      ? ['swiss', roll > 0.86 ? 'wideBlaze' : 'blaze']
      : roll < 0.3
        ? ['blaze']
        : roll < 0.46
          ? ['wideBlaze']
          : roll < 0.6
            ? ['sable']
            : ['blaze', 'ticks']
    return {
      pal: {
        ...solid(base),
        ear: black ? shade(ink, 0.2) : roll < 0.15 ? shade(ink, 0.1) : shade(base, 0.28),
        muzzle: light,
        chest: light,
        body: ink,
        light,
        second: marks.includes('ticks') ? base : ink,
        tan,
        ruff: base,
        eye: '#3a2318',
      },
      marks,
    }
  }
  if (whiteHead && ['terrier', 'pinscher', 'apple'].includes(family))
    return {
      pal: { ...solid(WHITE), ear: ink, second: ink, tan, muzzle: '#ffffff', body: WHITE, light, inner: '#e2b0a2' },
      marks: ['cap', 'brows', 'blaze'],
    }
  return {
    pal: { ...solid(ink), muzzle: light, chest: light, light, tan, second: ink, ruff: light, eye: '#5a3820' },
    marks: ['swiss', 'blaze'],
  }
}

/** Blotched blue or red. */
export function merle(red: boolean, hound: boolean): Coloration {
  const c = red ? '#c08a68' : '#9aa7b3'
  return {
    pal: {
      ...solid(c),
      second: red ? '#7c4128' : '#474d55',
      ear: red ? '#8b4d30' : '#565d66',
      muzzle: '#fffaf1',
      chest: '#fffaf1',
      tan: '#c28146',
      light: '#fffaf1',
      ruff: '#fffaf1',
      eye: red ? '#a06a2c' : '#6fb0d8',
      nose: red ? '#5b382b' : '#2a201c',
      top: tint(c, 0.15),
    },
    marks: hound ? ['merle'] : ['merle', 'swiss', 'blaze'],
  }
}

/** Roan, belton and the mottled hounds. */
export function ticked(v: string, c: string, word: string, family: Family, white: boolean): Coloration {
  const hound = family === 'hound'
  if (/azul moteado/.test(v) && hound)
    return {
      pal: {
        ...solid(BLACK),
        muzzle: '#c3c9ce',
        chest: '#b4bcc3',
        body: '#8f99a3',
        light: '#c3c9ce',
        second: '#4a5057',
        tan: '#b8723a',
        eye: '#5a3820',
      },
      marks: ['swiss', 'blaze', 'ticks'],
    }
  if (/(azul|rojo) moteado/.test(v) && !hound) {
    const r = v.includes('rojo'),
      k = r ? '#b97c56' : '#8a96a1'
    return {
      pal: {
        ...solid(k),
        second: r ? '#83401f' : '#3f4348',
        ear: r ? '#8f4a27' : '#3f4348',
        muzzle: r ? '#d4a583' : '#b1bac2',
        chest: r ? '#d2a07a' : '#a9b2ba',
        tan: '#bf7d45',
        eye: '#2c1e17',
      },
      marks: r ? ['goggles', 'roan'] : ['goggles', 'cheeks', 'roan'],
    }
  }
  const ink = /gris|azul/.test(v) && !/manchas/.test(v) ? '#474e57' : /gris .*marr|acero/.test(v) ? '#74492c' : c,
    liver = isLiver(word) || ink === '#74492c'
  if (/belton/.test(v))
    return { pal: { ...solid(WHITE, word), ear: ink, second: ink, eye: '#5a3820' }, marks: ['ticks', 'roan'] }
  const ground = mix(ink, '#f7f1e8', white ? 0.82 : 0.55),
    pale = mix(ink, '#f7f1e8', white ? 0.9 : 0.66)
  return {
    pal: {
      ...solid(ink, liver ? 'hígado' : ''),
      muzzle: pale,
      chest: ground,
      body: ground,
      light: pale,
      second: ink,
      ruff: ground,
    },
    marks: ['blaze', 'roan'],
  }
}

/** Striped. */
export function brindle(v: string, c: string, coloured: boolean, white: boolean): Coloration {
  const base = /negr|verdino/.test(v)
    ? '#5d4a3b'
    : /plata|gris/.test(v)
      ? '#9a948a'
      : /azul/.test(v)
        ? '#77797c'
        : /rojo/.test(v)
          ? '#b06a3a'
          : coloured && !/blanc/.test(v)
            ? c
            : '#a67c50'
  const p = solid(base)
  return {
    pal: {
      ...p,
      second: shade(base, 0.62),
      ear: shade(base, 0.4),
      mask: '#3a2e27',
      muzzle: white ? '#fffaf1' : shade(base, 0.42),
      chest: white ? '#fffaf1' : tint(base, 0.18),
    },
    marks: white ? ['brindle', 'blaze'] : ['brindle'],
  }
}

/** Banded grey with a pale face. */
export function wolf(c: string, family: Family): Coloration {
  const pale = family === 'molosser' || family === 'hound' ? tint(c, 0.3) : mix(c, '#f6eddf', 0.78)
  return {
    pal: {
      ...solid(c),
      second: shade(c, 0.45),
      ear: shade(c, 0.32),
      muzzle: pale,
      chest: pale,
      light: pale,
      ruff: tint(c, 0.22),
      eye: family === 'shepherd' ? '#a8752f' : '#3a2618',
      nose: '#211a17',
    },
    marks: family === 'molosser' ? ['sable', 'mask'] : ['wolf'],
  }
}

/** One colour and white: husky mask, patches or a blaze. */
export function withWhite(v: string, c: string, word: string, family: Family, random: Rng): Coloration {
  const liver = isLiver(word),
    p = solid(c, word),
    light = '#fffaf1',
    whiteFirst = v.startsWith('blanc')
  if (family === 'spitz' && !whiteFirst)
    return {
      pal: {
        ...solid(WHITE),
        ear: c,
        second: c,
        ruff: c,
        muzzle: '#ffffff',
        chest: '#ffffff',
        body: c,
        light: '#ffffff',
        eye: '#4b2f1d',
      },
      marks: ['husky'],
    }
  if ((whiteFirst && /manch|con /.test(v)) || (family === 'molosser' && whiteFirst))
    return {
      pal: {
        ...solid(WHITE),
        ear: c,
        second: c,
        eye: liver ? '#8a5a28' : '#2c1e17',
        nose: liver ? '#5a392b' : '#2a201c',
        inner: p.inner,
      },
      marks: [random() < 0.3 ? 'onePatch' : 'patches'],
    }
  return {
    pal: {
      ...p,
      muzzle: light,
      chest: light,
      light,
      body: whiteFirst ? WHITE : p.body,
      second: c,
      ruff: whiteFirst ? light : p.ruff,
      eye: liver ? '#8a5a28' : luma(c) < 0.33 ? '#5a3820' : '#2c1e17',
    },
    marks: [whiteFirst ? 'wideBlaze' : 'blaze'],
  }
}
