/**
 * Flags of every country of the catalogue, drawn small and plain on 82 x 52 units for the stamps. Emblems are reduced to
 * what one recognises at a finger's breadth. Lands without a flag of their own have a landscape.
 */
import { getOwn } from '#lib/identifiers.ts'

const W = 82
const H = 52

const rect = (x: number, y: number, w: number, h: number, colour: string) =>
  `<path fill="${colour}" d="M${x} ${y}h${w}v${h}H${x}Z"/>`

/** Bands of the given weights, one below the other or side by side. */
function bands(parts: readonly (readonly [string, number?])[], across: boolean): string {
  const total = parts.reduce((sum, [, weight = 1]) => sum + weight, 0)
  let at = 0
  return parts
    .map(([colour, weight = 1]) => {
      const size = ((across ? W : H) * weight) / total
      const from = Math.round(at * 100) / 100
      at += size
      const grown = Math.round(size * 100) / 100 + 0.1
      return across ? rect(from, 0, grown, H, colour) : rect(0, from, W, grown, colour)
    })
    .join('')
}
const h = (...colours: string[]) =>
  bands(
    colours.map((c) => [c]),
    false,
  )
const v = (...colours: string[]) =>
  bands(
    colours.map((c) => [c]),
    true,
  )

/** A five-pointed star about a centre. */
function star(cx: number, cy: number, r: number, colour: string, points = 5, inner = 0.4): string {
  let d = ''
  for (let i = 0; i < points * 2; i++) {
    const a = (i * Math.PI) / points - Math.PI / 2
    const k = i % 2 ? r * inner : r
    d += `${i ? 'L' : 'M'}${(cx + Math.cos(a) * k).toFixed(1)} ${(cy + Math.sin(a) * k).toFixed(1)}`
  }
  return `<path fill="${colour}" d="${d}Z"/>`
}
const disc = (cx: number, cy: number, r: number, colour: string) =>
  `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${colour}"/>`
/** A crescent open to the right. */
const crescent = (cx: number, cy: number, r: number, colour: string, hole: string) =>
  disc(cx, cy, r, colour) + disc(cx + r * 0.28, cy, r * 0.8, hole)
/** The Nordic cross, with an inner cross where there is one. */
const nordic = (ground: string, cross: string, inner?: string) =>
  rect(0, 0, W, H, ground) +
  rect(23, 0, 12, H, cross) +
  rect(0, 20, W, 12, cross) +
  (inner ? rect(26, 0, 6, H, inner) + rect(0, 23, W, 6, inner) : '')
const triangle = (colour: string, reach = 38) => `<path fill="${colour}" d="M0 0l${reach} 26L0 52Z"/>`
/** A coat of arms as a plain shield. */
const shield = (cx: number, cy: number, size: number, colour: string, inner: string) =>
  `<path fill="${colour}" stroke="#fff" stroke-width="1.2" d="M${cx - size} ${cy - size}h${size * 2}v${size}q0 ${size}-${size} ${size * 1.4}q-${size}-${size * 0.4}-${size}-${size * 1.4}Z"/>${disc(cx, cy, size * 0.4, inner)}`
/** The Union flag in a box. */
const union = (w: number, h: number) =>
  `<svg width="${w}" height="${h}" viewBox="0 0 60 30" preserveAspectRatio="none"><path fill="#1f3a7a" d="M0 0h60v30H0Z"/><path d="M0 0l60 30M60 0L0 30" stroke="#fff" stroke-width="6"/><path d="M0 0l60 30M60 0L0 30" stroke="#c8302f" stroke-width="2.2"/><path d="M30 0v30M0 15h60" stroke="#fff" stroke-width="10"/><path d="M30 0v30M0 15h60" stroke="#c8302f" stroke-width="6"/></svg>`

const peaks =
  rect(0, 0, W, H, '#bcd9ea') +
  disc(64, 13, 7, '#ffe08a') +
  `<path fill="#7d93ad" d="M0 52l22-36 15 22 12-16 33 30Z"/><path fill="#fff" d="m22 16 7 10-6-1-4 4-4-2Zm27 6 8 8-5 0-3 3-5-4Z"/>`
const savanna =
  rect(0, 0, W, H, '#f3c877') +
  disc(24, 24, 10, '#f6e3a4') +
  rect(0, 38, W, 14, '#b98645') +
  `<path d="M57 42V24m0 6l8-8M57 30l-8-7" stroke="#4a3526" stroke-width="2.4" fill="none"/><path fill="#5f7d3f" d="M36 22q4-10 20-9t24 8q-20 4-44 1Z"/>`
const dunes =
  rect(0, 0, W, H, '#f7dca0') +
  disc(62, 13, 7, '#fff3c4') +
  `<path fill="#dba55c" d="M0 34q26-14 46 0t36-4v22H0Z"/><path fill="#c98d48" d="M0 44q30-12 82 0v8H0Z"/><path fill="#4d7a45" d="M20 24q-8-2-11 4q5-3 11-1q-1-6-7-8q7 0 9 7q6-6 12-2q-7 0-10 4q3 2 3 7q-3-5-6-7l1 12h-3Z"/>`
const globe =
  rect(0, 0, W, H, '#d9eaf2') +
  disc(41, 26, 19, '#6aa8c9') +
  `<path fill="#8cc07f" d="M28 14q10-6 18-2l-4 8-8 2-2 8-9-5q0-6 5-11Zm18 14q9-2 12 3-2 8-9 12-6-5-3-15Z"/>`

const FLAGS: Record<string, string> = {
  Afganistán: v('#2b2523', '#c0342c', '#2f7a48') + disc(41, 26, 8, '#fff') + disc(41, 26, 5, '#c0342c'),
  'África Central': savanna,
  Alemania: h('#2b2523', '#d4372a', '#f2c230'),
  Chile:
    rect(0, 0, W, 26, '#fff') + rect(0, 26, W, 26, '#d52b1e') + rect(0, 0, 26, 26, '#1c4f9c') + star(13, 13, 8, '#fff'),
  Guatemala: v('#4997d0', '#fff', '#4997d0') + star(41, 26, 8, '#4f8b3b', 8, 0.55),
  Argentina: h('#7fb7e2', '#fff', '#7fb7e2') + star(41, 26, 7, '#efb431', 12, 0.55),
  Australia:
    rect(0, 0, W, H, '#1f3a7a') +
    union(41, 26) +
    star(20, 40, 6, '#fff', 7, 0.5) +
    (
      [
        [64, 10],
        [56, 22],
        [72, 20],
        [64, 42],
        [67, 30],
      ] as const
    )
      .map(([x, y]) => star(x, y, 3.4, '#fff', 7, 0.5))
      .join(''),
  Austria: h('#d4372a', '#fff', '#d4372a'),
  Bélgica: v('#2b2523', '#f2cf3c', '#d4372a'),
  'Bosnia y Herzegovina':
    rect(0, 0, W, H, '#20408a') +
    '<path fill="#f2cf3c" d="M26 0h40v52Z"/>' +
    [0, 1, 2, 3, 4].map((i) => star(22 + i * 8.4, 5 + i * 11, 3.4, '#fff')).join(''),
  Brasil:
    rect(0, 0, W, H, '#2f8a4c') +
    '<path fill="#f4d13a" d="M41 5l34 21-34 21L7 26Z"/>' +
    disc(41, 26, 12, '#20408a') +
    '<path d="M30 23q12-3 22 7" stroke="#fff" stroke-width="2.6" fill="none"/>',
  Canadá:
    bands([['#d4372a'], ['#fff', 2], ['#d4372a']], true) +
    '<path fill="#d4372a" d="M41 9l3.500 7 4-2-1.500 9 5-4 1 3.500 5-.5-2.500 5 2 1.500-8.500 7 .8 3.500-8-1.300V45h-1.600v-7.300l-8 1.300.8-3.500-8.500-7 2-1.500-2.500-5 5 .5 1-3.500 5 4-1.500-9 4 2Z"/>',
  China:
    rect(0, 0, W, H, '#d4372a') +
    star(16, 16, 9, '#f7d53f') +
    (
      [
        [32, 7],
        [37, 13],
        [37, 21],
        [32, 27],
      ] as const
    )
      .map(([x, y]) => star(x, y, 3.2, '#f7d53f'))
      .join(''),
  'Corea del Sur':
    rect(0, 0, W, H, '#fff') +
    '<path fill="#c8302f" d="M29 26a12 12 0 0 1 24 0Z"/><path fill="#2a4a9c" d="M29 26a12 12 0 0 0 24 0Z"/><circle cx="35" cy="26" r="6" fill="#c8302f"/><circle cx="47" cy="26" r="6" fill="#2a4a9c"/><path d="M12 13l7-7M15 16l7-7M70 46l-7-7M67 49l-7-7M12 39l7 7M15 36l7 7M70 6l-7 7M67 3l-7 7" stroke="#2b2523" stroke-width="2.400"/>',
  Croacia:
    h('#d4372a', '#fff', '#20408a') +
    '<g fill="#d4372a"><path fill="#fff" d="M32 12h18v24q-9 6-18 0Z"/>' +
    [0, 1, 2, 3, 4, 5]
      .map((i) => `<path d="M${32 + (i % 2) * 6} ${12 + i * 4}h6v4h-6Zm${i % 2 ? '6' : '12'} 0h6v4h-6Z"/>`)
      .join('') +
    '</g>',
  Cuba: h('#20408a', '#fff', '#20408a', '#fff', '#20408a') + triangle('#d4372a') + star(13, 26, 8, '#fff'),
  Dinamarca: nordic('#cf2f3c', '#fff'),
  Eslovaquia: h('#fff', '#20408a', '#d4372a') + shield(24, 24, 11, '#d4372a', '#fff'),
  Eslovenia: h('#fff', '#20408a', '#d4372a') + shield(22, 15, 8, '#20408a', '#fff'),
  España: bands([['#c8302f'], ['#f4c43a', 2], ['#c8302f']], false) + shield(26, 24, 8, '#c8302f', '#f4c43a'),
  'Estados Unidos':
    bands(
      Array.from({ length: 13 }, (_, i) => [i % 2 ? '#fff' : '#c8302f'] as const),
      false,
    ) +
    rect(0, 0, 36, 28, '#20305f') +
    Array.from({ length: 12 }, (_, i) => disc(5 + (i % 4) * 8.5, 5 + Math.floor(i / 4) * 9, 1.5, '#fff')).join(''),
  Estonia: h('#2f74b5', '#2b2523', '#fff'),
  Finlandia: nordic('#fff', '#1f4f94'),
  Francia: v('#20408a', '#fff', '#d4372a'),
  Grecia:
    bands(
      Array.from({ length: 9 }, (_, i) => [i % 2 ? '#fff' : '#2a63ad'] as const),
      false,
    ) +
    rect(0, 0, 29, 29, '#2a63ad') +
    rect(11.5, 0, 6, 29, '#fff') +
    rect(0, 11.5, 29, 6, '#fff'),
  Groenlandia:
    h('#fff', '#cf2f3c') +
    '<path fill="#cf2f3c" d="M16 26a15 15 0 0 1 30 0Z"/><path fill="#fff" d="M16 26a15 15 0 0 0 30 0Z"/>',
  Hungría: h('#c8302f', '#fff', '#3d7a4e'),
  India:
    h('#f19a3e', '#fff', '#2f8a4c') +
    '<circle cx="41" cy="26" r="7" fill="none" stroke="#20408a" stroke-width="1.600"/><path d="M41 19v14M34 26h14M36 21l10 10M46 21l-10 10" stroke="#20408a"/>',
  Indonesia: h('#d4372a', '#fff'),
  Irlanda: v('#2f8f5b', '#fff', '#f08b3c'),
  Islandia: nordic('#1f4f94', '#fff', '#cf2f3c'),
  Israel:
    rect(0, 0, W, H, '#fff') +
    rect(0, 6, W, 7, '#2a63ad') +
    rect(0, 39, W, 7, '#2a63ad') +
    '<path fill="none" stroke="#2a63ad" stroke-width="2" d="M41 16l9 15H32Zm0 20l-9-15h18Z"/>',
  Italia: v('#2f8f5b', '#fff', '#cf2f3c'),
  Japón: rect(0, 0, W, H, '#fff') + disc(41, 26, 15, '#cf2f3c'),
  Kazajistán:
    rect(0, 0, W, H, '#3fb0c4') +
    star(44, 22, 12, '#f7d53f', 16, 0.62) +
    '<path fill="#f7d53f" d="M28 34q16 10 32 0-14 14-32 0ZM4 4h4v44H4Z"/>',
  'Macedonia del Norte':
    rect(0, 0, W, H, '#d4372a') +
    '<g fill="#f7d53f"><path d="M0 0h14l27 26L0 6ZM82 0H68L41 26 82 6ZM0 52h14l27-26L0 46ZM82 52H68L41 26l41 20ZM34 0h14l-7 24ZM34 52h14l-7-24ZM0 21v10l38-5ZM82 21v10l-38-5Z"/></g>' +
    disc(41, 26, 10, '#d4372a') +
    disc(41, 26, 8, '#f7d53f'),
  Madagascar: rect(27, 0, 55, 26, '#d4372a') + rect(27, 26, 55, 26, '#2f8a4c') + rect(0, 0, 27, H, '#fff'),
  Mali: v('#2f8a4c', '#f7d53f', '#cf2f3c'),
  Malta: v('#fff', '#cf2f3c') + '<path d="M12 6v12M6 12h12" stroke="#a9a39b" stroke-width="4"/>',
  Marruecos:
    rect(0, 0, W, H, '#c0303a') +
    '<path fill="none" stroke="#2f7a48" stroke-width="2.600" stroke-linejoin="round" d="M41 13l8 25-21-15.500h26L33 38Z"/>',
  México:
    v('#2f7a4f', '#fff', '#cf2f3c') +
    '<path fill="#8a5a32" d="M36 20q5-5 9 0 4 5-1 11h-6q-5-5-2-11Z"/><path d="M33 31q8 7 16 0" stroke="#2f8a4c" stroke-width="2.400" fill="none"/>',
  Montenegro:
    rect(0, 0, W, H, '#e0b13c') +
    rect(4, 4, 74, 44, '#c0303a') +
    '<path fill="#e0b13c" d="M41 14l5 4 12-3-6 8 3 6-8 1-6 10-6-10-8-1 3-6-6-8 12 3Z"/>',
  Noruega: nordic('#cf2f3c', '#fff', '#1f3f7f'),
  'Oriente Medio': dunes,
  'Países Bajos': h('#c0303a', '#fff', '#2a4a9c'),
  Pakistán:
    rect(0, 0, W, H, '#245c3c') +
    rect(0, 0, 20, H, '#fff') +
    crescent(48, 27, 13, '#fff', '#245c3c') +
    star(58, 18, 5, '#fff'),
  Perú: v('#cf2f3c', '#fff', '#cf2f3c'),
  Polonia: h('#fff', '#cf2f3c'),
  Portugal:
    bands(
      [
        ['#2f7a48', 2],
        ['#cf2f3c', 3],
      ],
      true,
    ) +
    disc(33, 26, 11, '#f2cf3c') +
    shield(33, 24, 6, '#cf2f3c', '#fff'),
  'Reino Unido': union(W, H),
  'República Checa': h('#fff', '#cf2f3c') + triangle('#20408a', 41),
  Rumanía: v('#20408a', '#f2cf3c', '#cf2f3c'),
  Rusia: h('#fff', '#2a4a9c', '#cf2f3c'),
  Serbia: h('#cf2f3c', '#20408a', '#fff') + shield(30, 22, 9, '#cf2f3c', '#fff'),
  Sudáfrica:
    rect(0, 0, W, 26, '#cf3a2f') +
    rect(0, 26, W, 26, '#20408a') +
    '<path d="M-4-4l36 30-36 30M32 26h54" stroke="#fff" stroke-width="18" fill="none"/><path fill="#2b2523" d="M0 8l22 18L0 44Z"/><path d="M-4-4l36 30-36 30M32 26h54" stroke="#2f7a48" stroke-width="11" fill="none"/><path fill="#2b2523" stroke="#f2b53c" stroke-width="3" d="M-3 11l18 15-18 15Z"/>',
  Suecia: nordic('#2a6ba8', '#f7d040'),
  Suiza: rect(0, 0, W, H, '#d4372a') + '<path d="M41 12v28M27 26h28" stroke="#fff" stroke-width="9"/>',
  Tailandia: bands([['#cf2f3c'], ['#fff'], ['#2a3a6f', 2], ['#fff'], ['#cf2f3c']], false),
  Taiwán: rect(0, 0, W, H, '#d4372a') + rect(0, 0, 41, 26, '#20408a') + star(20, 13, 9, '#fff', 12, 0.6),
  'Tíbet (China)': peaks,
  Turquía: rect(0, 0, W, H, '#d4372a') + crescent(34, 26, 13, '#fff', '#d4372a') + star(51, 26, 6, '#fff'),
  Uruguay:
    bands(
      Array.from({ length: 9 }, (_, i) => [i % 2 ? '#2a63ad' : '#fff'] as const),
      false,
    ) +
    rect(0, 0, 32, 29, '#fff') +
    star(16, 14, 10, '#f2b53c', 12, 0.5),
  Zimbabue:
    h('#2f8a4c', '#f7d53f', '#d4372a', '#2b2523', '#d4372a', '#f7d53f', '#2f8a4c') +
    triangle('#fff', 34) +
    star(12, 26, 8, '#d4372a'),
}

export const hasFlag = (country: string): boolean => Object.hasOwn(FLAGS, country)
/** The flag of a country of the catalogue; a globe where there is none («Mestizo» comes from everywhere). */
export const flag = (country: string): string => getOwn(FLAGS, country) ?? globe
/** Whether its picture is no flag but what the land looks like. */
export const isLandscape = (country: string): boolean => [peaks, savanna, dunes].includes(flag(country))
