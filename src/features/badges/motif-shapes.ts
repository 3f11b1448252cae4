import type { Motif } from '#features/challenges/motifs.ts'

const INK = '#3a2a1e'
const PAPER = '#fffaf0'
const TAN = '#e2b277'
const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`
const line = (d: string, colour: string, width = 2.4) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
const dot = (x: number, y: number, r: number, fill: string) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`
const oval = (x: number, y: number, rx: number, ry: number, fill: string) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`

/** A dog's face from the front, without ears. */
const face = (coat = TAN) =>
  oval(32, 33, 11.5, 11, coat) +
  oval(32, 37.5, 6.5, 5, PAPER) +
  oval(32, 35, 2.6, 1.9, INK) +
  dot(27, 30, 1.6, INK) +
  dot(37, 30, 1.6, INK) +
  line('M32 37v2.500M29 40.500q3 1.8 6 0', INK, 1.4)
const paw = (x: number, y: number, s: number, fill: string) =>
  `<g transform="translate(${x} ${y}) scale(${s})" fill="${fill}"><path d="M0-1c5 0 9 5 9 9s-4 4-9 4-9 0-9-4 4-9 9-9Z"/><ellipse cx="-9.5" cy="-4" rx="3.2" ry="4.4"/><ellipse cx="-3.5" cy="-9" rx="3.4" ry="4.8"/><ellipse cx="3.5" cy="-9" rx="3.4" ry="4.8"/><ellipse cx="9.5" cy="-4" rx="3.2" ry="4.4"/></g>`
const star = (cx: number, cy: number, r: number) =>
  `M${Array.from({ length: 10 }, (_, i) => {
    const angle = (i * Math.PI) / 5 - Math.PI / 2
    const radius = i % 2 ? r * 0.46 : r
    return `${(cx + Math.cos(angle) * radius).toFixed(1)} ${(cy + Math.sin(angle) * radius).toFixed(1)}`
  }).join('L')}Z`
const BONE = `<g transform="rotate(-40 32 32)">${line('M22 32h20', PAPER, 7)}${[21, 43].map((x) => dot(x, 28.5, 4.6, PAPER) + dot(x, 35.5, 4.6, PAPER)).join('')}</g>`

/** What stands on a badge, within 20 units of (32, 32). */
export const MOTIFS: Record<Motif, string> = {
  sheep:
    line('M27 41v6M37 41v6', INK, 3) +
    dot(24, 33, 6.5, PAPER) +
    dot(31, 27, 7.5, PAPER) +
    dot(38, 32, 6.5, PAPER) +
    dot(28, 38, 6.5, PAPER) +
    dot(36, 38, 6, PAPER) +
    oval(43, 30, 4.6, 5.6, INK) +
    dot(44.5, 29, 1, PAPER),
  water:
    path('M32 15q12 15.5 12 22a12 12 0 0 1-24 0q0-6.5 12-22Z', PAPER) +
    line('M24.5 37q3.7-3 7.5 0t7.5 0M26.5 42.500q2.7-2 5.5 0t5.5 0', '#3674a2', 2),
  bird:
    path('M18 35q5-12 17-11 9 0 11 6l4 1.5-4 1.500q-3 10-14 10-11 0-14-8Z', PAPER) +
    path('M26 33q6-9 15-15-1 13-8 19Z', TAN) +
    dot(42, 29, 1.4, INK),
  shield: path('M32 16l14 5v11q0 12-14 17-14-5-14-17V21Z', PAPER) + paw(32, 34, 0.75, '#b83f26'),
  nose:
    oval(32, 33, 15, 12, TAN) +
    path('M22 28q0-6 10-6t10 6q0 5-10 9-10-4-10-9Z', INK) +
    oval(28, 26, 3, 1.6, '#7a6a60') +
    line('M32 37v5M25 42q7 4 14 0', INK, 2),
  runner:
    path('M19 34q7-9 17-8l6-5 5 3-3 4q-2 7-9 8l6 8-3 1-8-8-9 1-6 6-3-1 5-8Z', PAPER) +
    dot(43, 25, 1.1, INK) +
    line('M14 27h6M12 32h5M15 41h5', PAPER, 2),
  burrow:
    path('M14 44q4-20 18-20t18 20Z', TAN) +
    path('M24 44q0-12 8-12t8 12Z', INK) +
    dot(29.5, 40, 1.5, PAPER) +
    dot(34.5, 40, 1.5, PAPER),
  mouse:
    line('M20 41q-6 0-6-8', PAPER, 2) +
    path('M20 41q1-13 14-13 10 0 14 10-3 4-10 4Z', PAPER) +
    dot(34, 26, 5, PAPER) +
    dot(34, 26, 2.6, '#e8a9a0') +
    dot(42, 34, 1.4, INK) +
    dot(48, 38, 1.5, INK),
  snow: line(
    'M32 16v32M18 24l28 16M46 24L18 40M28 19l4 4 4-4M28 45l4-4 4 4M19 29.500l5.5-1.500L23 22.500M45 34.500l-5.5 1.5 1.5 5.500M45 29.500l-5.5-1.5 1.5-5.500M19 34.500l5.5 1.5-1.5 5.5',
    PAPER,
  ),
  heart:
    path('M32 47Q16 36 16 27.500A8 8 0 0 1 32 24a8 8 0 0 1 16 3.500Q48 36 32 47Z', PAPER) +
    paw(32, 33, 0.62, '#b83f26'),
  mountain:
    path('M13 45l13-23 8 13 5-7 12 17Z', PAPER) + path('M26 22l-5.5 9.7 4 2 3.5-2.5 3 3.5 1.3-1.800Z', '#aebfd0'),
  cow:
    line('M20 22q-4 0-4-5M44 22q4 0 4-5', PAPER, 3) +
    path('M21 22q11-5 22 0l-2 18q-9 8-18 0Z', PAPER) +
    path('M21 22q7-3 9 0-1 8-8 8Z', '#7a5443') +
    oval(32, 40, 9, 6, '#e8a9a0') +
    dot(29, 40, 1.4, INK) +
    dot(35, 40, 1.4, INK) +
    dot(27, 30, 1.6, INK) +
    dot(38, 30, 1.6, INK),
  hare:
    path('M27 30q-6-15-1-16 5 1 5 15ZM37 30q6-15 1-16-5 1-5 15Z', PAPER) +
    path('M27.5 26q-2.5-8-.5-9 2 1 2 9ZM36.5 26q2.5-8 .5-9-2 1-2 9Z', '#e8a9a0') +
    oval(32, 37, 11, 10.5, PAPER) +
    dot(28, 35, 1.6, INK) +
    dot(36, 35, 1.6, INK) +
    oval(32, 39, 1.8, 1.3, INK) +
    line('M32 40.500v2.5', INK, 1.4),
  boar:
    path('M19 24l5-6 3 6h10l3-6 5 6q2 18-13 23-15-5-13-23Z', '#6a4f40') +
    oval(32, 39, 8, 6, '#a67c68') +
    dot(29, 39, 1.6, INK) +
    dot(35, 39, 1.6, INK) +
    line('M23 42q-1-5 2-7M41 42q1-5-2-7', PAPER, 2.6) +
    dot(26, 30, 1.5, PAPER) +
    dot(38, 30, 1.5, PAPER),
  tall:
    path('M19 17h7v30h-7Z', PAPER) +
    line('M26 22h-3M26 27h-4M26 32h-3M26 37h-4M26 42h-3', INK, 1.4) +
    path('M31 47V33q0-3 3-4l2-7 4 2 6 1-1 4-5 2v16h-3v-8h-3v8Z', PAPER) +
    dot(40, 25.5, 1, INK),
  curl: line(
    'M20 38a6 6 0 1 1 10-4 4 4 0 1 1-6 2M33 29a6 6 0 1 1 10-4 4 4 0 1 1-6 2M33 46a6 6 0 1 1 10-4 4 4 0 1 1-6 2',
    PAPER,
    2.8,
  ),
  fringe:
    face() +
    path('M19 33q-1-15 13-15t13 15l-3 4-3-6-3 4-2-5-2 5-3-5-2 5-3-4-3 6Z', PAPER) +
    line('M26 41q-1 5 1 8M32 43v6M38 41q1 5-1 8', PAPER, 2.6),
  ear: face() + path('M22 24q-8 2-8 13 1 6 5 5 5-3 6-13ZM42 24q8 2 8 13-1 6-5 5-5-3-6-13Z', '#9a6437'),
  tail: line('M22 46q-6-14 6-20a9 9 0 1 1 9 12 5.5 5.5 0 1 1 1-9', PAPER, 4.4) + line('M18 47h9', PAPER, 4.4),
  puppy:
    path('M23 26l-4-9 10 4ZM41 26l4-9-10 4Z', '#9a6437') +
    face() +
    dot(27, 30, 2.4, INK) +
    dot(37, 30, 2.4, INK) +
    dot(27.8, 29.2, 0.8, PAPER) +
    dot(37.8, 29.2, 0.8, PAPER),
  pin: path('M32 49Q18 36 18 29a14 14 0 0 1 28 0q0 7-14 20Z', PAPER) + paw(32, 31, 0.68, '#b83f26'),
  globe:
    dot(32, 32, 15, PAPER) +
    path(
      'M21 25q5-7 11-6l1 5-4 3 2 4-5 2q-6-2-5-8ZM36 30q7-4 10-1 1 8-6 12-5-1-6-6ZM26 38l5 1 1 6q-5-1-6-7Z',
      '#4a9a6c',
    ),
  sun:
    line(
      'M32 14v5M32 45v5M14 32h5M45 32h5M19.3 19.300l3.5 3.500M41.2 41.200l3.5 3.500M19.3 44.700l3.5-3.500M41.2 22.800l3.5-3.5',
      PAPER,
      3,
    ) +
    dot(32, 32, 9.5, PAPER) +
    paw(32, 34, 0.5, '#b83f26'),
  book:
    path('M15 21q9-3 17 2 8-5 17-2v23q-9-3-17 2-8-5-17-2Z', PAPER) +
    line('M32 23v23M20 27q4-1 8 1M20 32q4-1 8 1M20 37q4-1 8 1', INK, 1.5) +
    paw(40, 35, 0.42, '#b83f26'),
  paw: paw(32, 36, 1.25, PAPER),
  star: path(star(32, 33, 17), PAPER) + paw(32, 35, 0.5, '#b83f26'),
  island:
    line('M32 42q-2-10 2-18', '#7a5443', 3) +
    line('M34 24q-8-6-13 1M34 24q8-7 13 0M34 24q-6 1-8 8M34 24q6 1 8 8', PAPER, 3) +
    path('M18 45q14-9 28 0Z', '#f6dfae') +
    line('M17 48q4-2.5 7.5 0t7.5 0 7.5 0 7.5 0', PAPER, 2),
  flag:
    line('M22 16v33', PAPER, 3) +
    path('M23.5 18q8-4 13 0t11 0v14q-6 4-11 0t-13 0Z', PAPER) +
    paw(35, 26.5, 0.46, '#b83f26'),
  bone: BONE,
  home:
    path('M15 32L32 17l17 15-3 2-14-12-14 12Z', PAPER) +
    path('M20 34l12-10 12 10v13H20Z', PAPER) +
    path('M27 47V38a5 5 0 0 1 10 0v9Z', INK),
}
