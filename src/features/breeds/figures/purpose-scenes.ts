/** What the breed was made for, as a strip of landscape with the breed itself at work. */
import { stroke } from '#features/breeds/portrait/svg-path.ts'
import type { PortraitFacts } from '#features/breeds/portrait/types.ts'
import { sideDog } from './side-dog.ts'
import { svgPicture } from './tiles.ts'

const placeAt = (body: string, x: number, y: number, scale = 1, flip = false) =>
  `<g transform="translate(${x} ${y}) scale(${flip ? -scale : scale} ${scale})">${body}</g>`

const hills = (a: string, b: string, c: string) =>
  `<path d="M-300 84q210-60 520-18 210 42 400-14 160-44 320 10v90H-300Z" fill="${a}"/><path d="M-300 98q240-40 600-12t640-16v70H-300Z" fill="${b}"/><path d="M-300 114q250-26 620-8t620-10v50H-300Z" fill="${c}"/>`
const meadow = hills('#bfe0b2', '#a6d59a', '#86c182')
const sun = '<circle cx="96" cy="34" r="20" fill="#ffe08a"/>'
const tree = (tone: string) =>
  `<path d="M-3-4h6v22h-6Z" fill="#7d5a3c"/><circle cy="-16" r="17" fill="${tone}"/><circle cx="-11" cy="-7" r="11" fill="${tone}"/><circle cx="11" cy="-7" r="11" fill="${tone}"/>`
const pine =
  '<path d="M-3 8h6v12h-6Z" fill="#6d4f37"/><path d="M0-44l15 24h-7l11 18h-8l9 14h-40l9-14h-8l11-18h-7Z" fill="#4f8460"/>'

const sheep =
  '<path d="M-12 12v12M-3 13v12M6 13v12M13 11v12" stroke="#4a3d36" stroke-width="4" stroke-linecap="round"/><path d="M-20 2a9 9 0 0 1 6-13 10 10 0 0 1 15-4 10 10 0 0 1 16 5 8 8 0 0 1 3 14 9 9 0 0 1-12 9 10 10 0 0 1-16 1A9 9 0 0 1-20 2Z" fill="#fffaf0"/><path d="M16-8q12-3 14 5-1 9-9 9-7-1-8-7Z" fill="#4a3d36"/>'
const cow =
  '<path d="M-24 4v24M-14 6v22M14 6v22M24 4v24" stroke="#5b4035" stroke-width="6"/><path d="M-30-16q30-6 58 0 6 12 0 26-30 6-56 0-6-14-2-26Z" fill="#fffaf0"/><path d="M-22-16q12-2 14 8t-12 12q-8-4-9-12ZM4-18q14-1 18 4 0 12-10 12T4-18Z" fill="#7a5443"/><path d="M26-24q16-2 20 8 1 14-10 15-12-2-14-12Z" fill="#7a5443"/><path d="M30-24q-6-4-6-10M42-23q6-4 6-10" stroke="#efe3cf" stroke-width="4" fill="none" stroke-linecap="round"/>'
const hare =
  '<path d="M-18 4q2-16 18-14 12 2 14 10-2 10-14 10H-12Z" fill="#a9815a"/><circle cx="15" cy="-6" r="8" fill="#a9815a"/><path d="M12-12q-6-14-2-20 6 4 7 18ZM17-12q-1-14 5-18 3 6-1 18Z" fill="#95704d"/><circle cx="-18" cy="2" r="4" fill="#fff"/><circle cx="18" cy="-7" r="1.500" fill="#2b211c"/>'
const bird =
  '<path d="M-16 0q4-12 18-12 12 0 14 8l8 2-8 2q-4 10-18 10-10 0-14-10Z" fill="#9b6b4a"/><path d="M-4-4q8-10 18-20-2 16-10 24Z" fill="#7d523a"/><circle cx="13" cy="-5" r="1.500" fill="#2b211c"/>'
const duck =
  '<path d="M-22 4q0-10 12-10 8 0 12 4 2-14 12-14 8 0 9 8l8 2-8 3q-1 16-20 17-22 0-25-10Z" fill="#fff7e6"/><path d="M2-2q2-14 12-14 8 0 9 8-2 8-10 8-8 2-11-2Z" fill="#3d7a5c"/><path d="M22-9l9 3-9 2Z" fill="#e8a33c"/><circle cx="16" cy="-9" r="1.600" fill="#2b211c"/>'
const boar =
  '<path d="M-16 8v16M-6 10v14M12 10v14M20 8v16" stroke="#3d2f28" stroke-width="5"/><path d="M-28-4q6-18 32-18 20 0 30 12l12 8-10 8q-8 8-32 8-28 2-32-18Z" fill="#5a4438"/><path d="M-20-16q20-14 44 0" stroke="#3d2f28" stroke-width="5" fill="none"/><path d="M38 4q6 0 6-6" stroke="#fff" stroke-width="2.500" fill="none"/>'
const rat =
  '<path d="M-16 6q2-14 18-14 14 2 18 12-4 4-14 4h-20Z" fill="#8d8581"/><path d="M-14 6q-14 2-18-8" stroke="#b58d85" stroke-width="2.600" fill="none"/><circle cx="6" cy="-8" r="5" fill="#a89f9a"/><circle cx="14" cy="-1" r="1.500" fill="#2b211c"/>'
const house =
  '<path d="M-46 0v-44h92V0Z" fill="#f6e3c8"/><path d="M-56-42L0-78l56 36Z" fill="#b5553c"/><path d="M-10 0v-28h20V0Z" fill="#8a5a3c"/><path d="M-36-32h16v16h-16ZM20-32h16v16H20Z" fill="#a9d9ea"/>'
const fence =
  Array.from({ length: 9 }, (_, i) => `<path d="M${i * 16} 0v-22l4-5 4 5V0Z" fill="#fff7ea"/>`).join('') +
  '<path d="M-4-8h144M-4-16h144" stroke="#fff7ea" stroke-width="3"/>'

type PurposeScene = { label: string; back: string; front: string; dog: [x: number, y: number, scale: number] }
const dayScene = (label: string, front: string, x = 196): PurposeScene => ({
  label,
  back: sun + meadow,
  front,
  dog: [x, 122, 0.5],
})

const PURPOSE_SCENES = {
  sheep: dayScene(
    'Rebaño de ovejas y el perro',
    (
      [
        [330, 78, 0.8],
        [384, 72, 0.78],
        [452, 80, 0.92],
        [356, 97, 1.05],
        [418, 100, 1.1],
        [500, 98, 1.05],
      ] as const
    )
      .map(([x, y, s]) => placeAt(sheep, x, y, s))
      .join(''),
  ),
  cattle: dayScene(
    'Vacas y el perro que las conduce',
    placeAt(cow, 360, 88, 0.85) + placeAt(cow, 460, 92, 1) + placeAt(cow, 560, 86, 0.9),
  ),
  hare: dayScene(
    'Una liebre que corre y el perro detrás',
    placeAt(hare, 450, 104, 1.05) + stroke('M404 112h-22M396 104h-18', '#fff', 2.5, 0.8),
    210,
  ),
  birds: dayScene(
    'Aves que levantan el vuelo ante el perro',
    placeAt(bird, 420, 56, 1) +
      placeAt(bird, 490, 36, 0.85) +
      placeAt(bird, 370, 88, 0.7) +
      Array.from({ length: 16 }, (_, i) => stroke(`M${320 + i * 17} 128q4-14 ${(i % 3) - 1}-24`, '#c9a44e', 3)).join(
        '',
      ),
  ),
  forest: {
    label: 'Un bosque con un jabalí y el perro que sigue su rastro',
    back:
      hills('#a9cda0', '#8fbb87', '#77a873') +
      [40, 110, 300, 372, 520, 600].map((x, i) => placeAt(pine, x, 76 + (i % 3) * 8, 1.15)).join(''),
    front: placeAt(boar, 470, 98, 1.05),
    dog: [196, 122, 0.5],
  },
  water: {
    label: 'Patos en el agua y el perro en la orilla',
    back:
      sun +
      hills('#bfe0b2', '#a6d59a', '#86c182') +
      '<path d="M290 84q60-14 700 0v60H260q50-20 30-60Z" fill="#7cc3da"/><path d="M330 102q10-5 20 0t20 0 20 0M470 116q10-5 20 0t20 0 20 0" stroke="#fff" stroke-width="2.500" fill="none" opacity=".7"/>',
    front:
      placeAt(duck, 420, 94, 1) +
      placeAt(duck, 510, 104, 1.1) +
      Array.from({ length: 5 }, (_, i) => stroke(`M${296 + i * 9} 124q2-20 ${i - 2}-36`, '#6a9a55', 3.4)).join(''),
    dog: [150, 120, 0.5],
  },
  burrow: dayScene(
    'Una madriguera y el perro ante ella',
    '<path d="M370 116q10-54 90-54t100 54Z" fill="#a5764b"/><path d="M426 116q2-32 30-32t30 32Z" fill="#4b3425"/><circle cx="450" cy="104" r="2.600" fill="#ffe9a8"/><circle cx="462" cy="104" r="2.600" fill="#ffe9a8"/>',
    226,
  ),
  barn: {
    label: 'Un granero, una rata y el perro',
    back: '<path d="M-300 0H940v130H-300Z" fill="#ecd3ac"/><path d="M-300 96H940v34H-300Z" fill="#c9a26d"/><path d="M-280 0v96M-180 0v96M-80 0v96M40 0v96M140 0v96M240 0v96M340 0v96M440 0v96M540 0v96M640 0v96M740 0v96" stroke="#d9b988" stroke-width="3"/><path d="M500 100q0-40 44-40t48 40Z" fill="#e8c64f"/><path d="M506 84l80 0M512 72l66 0" stroke="#caa436" stroke-width="3"/>',
    front: placeAt(rat, 410, 114, 1),
    dog: [206, 122, 0.5],
  },
  snow: {
    label: 'Un trineo en la nieve y el perro que tira',
    back: '<path d="M-300 0H940v130H-300Z" fill="#cfe2f0"/><path d="M-60 96L60 22l60 50 70-52 90 76ZM380 96l90-70 60 44 60-46 100 72Z" fill="#aec4dc"/><path d="M60 22l24 20-14-2-10 8-12-8ZM470 26l22 20-12-3-10 8-12-7Z" fill="#fff"/><path d="M-300 92q260-20 560-4t680-8v60H-300Z" fill="#f6fafd"/>',
    front:
      '<path d="M150 116h104q16 0 16-14M170 116V96h60v20M170 96l-10-26" stroke="#8a5a3c" stroke-width="5" fill="none" stroke-linecap="round"/><path d="M176 78h50v18h-50Z" fill="#c8452f"/><path d="M262 102L384 84" stroke="#7a5a3c" stroke-width="2.500"/>',
    dog: [372, 120, 0.5],
  },
  home: {
    label: 'Un sofá, una alfombra y el perro en casa',
    back: '<path d="M-300 0H940v130H-300Z" fill="#f3d9c6"/><path d="M-300 100H940v30H-300Z" fill="#d3a27f"/><path d="M96 14h86v62H96Z" fill="#fff7ea"/><path d="M102 20h35v50h-35ZM142 20h34v50h-34Z" fill="#a9d9ea"/><ellipse cx="330" cy="117" rx="170" ry="10" fill="#8fb5a8"/><path d="M540 34l26 36h-52Z" fill="#ffdf94"/><path d="M537 70h6v36h-6Z" fill="#8a5a3c"/>',
    front:
      '<path d="M400 108V66q0-14 16-14h84q16 0 16 14v42Z" fill="#6c8fb0"/><path d="M388 76q14-4 18 8v14h104V84q4-12 18-8v34H388Z" fill="#5a7c9c"/>',
    dog: [250, 120, 0.5],
  },
  guard: dayScene(
    'Una casa con su valla y el perro que la guarda',
    placeAt(house, 470, 112, 0.95) + placeAt(fence, 290, 120, 0.9),
    170,
  ),
  mountain: {
    label: 'Un rebaño en la montaña y el perro que lo protege',
    back:
      '<path d="M-100 110L70 12l100 72 90-66 130 92ZM330 110L470 20l80 56 70-42 120 76Z" fill="#a9bccb"/><path d="M70 12l32 24-20-3-14 10-16-10ZM470 20l26 20-16-3-12 9-14-9Z" fill="#fff"/>' +
      hills('#b9d9ac', '#a6d59a', '#86c182').replace(/^.*?\/>/, ''),
    front: (
      [
        [390, 92, 0.8],
        [450, 98, 0.95],
        [512, 92, 0.85],
        [556, 104, 1],
      ] as const
    )
      .map(([x, y, s]) => placeAt(sheep, x, y, s))
      .join(''),
    dog: [196, 122, 0.54],
  },
  sea: {
    label: 'Una barca, el mar y el perro en la orilla',
    back: '<path d="M-300 0H940v130H-300Z" fill="#cfeaf5"/><circle cx="96" cy="34" r="20" fill="#fff3b8"/><path d="M-300 66H940v64H-300Z" fill="#7cc3da"/><path d="M-300 84q24-8 48 0t48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0 48 0v8H-300Z" fill="#fff" opacity=".5"/><path d="M-300 118q220-26 420-14t240 30H-300Z" fill="#f1d9a6"/>',
    front:
      '<path d="M410 88h120q-8 22-30 22h-58q-24 0-32-22Z" fill="#b5553c"/><path d="M470 88V26l44 52Z" fill="#fff7ea"/>',
    dog: [150, 122, 0.5],
  },
  track: dayScene(
    'Un campo abierto y el perro en carrera',
    stroke('M300 112h-60M280 100h-44M300 88h-34', '#fff', 3, 0.8) +
      placeAt(hare, 540, 104, 0.8) +
      placeAt(tree('#5fa06a'), 600, 76, 0.9),
    320,
  ),
} satisfies Record<string, PurposeScene>

/** Words of a purpose and the scene they call for; the first that fits wins. */
const SCENE_PATTERNS: readonly [RegExp, keyof typeof PURPOSE_SCENES][] = [
  [/trineo/, 'snow'],
  [/acuátic|patos|cobro|en el agua y compañía|nutrias|señuelo/, 'water'],
  [/salvamento|pescador|pesca|barca|frailecillo/, 'sea'],
  [/madriguera|tejon|zorro en madriguera/, 'burrow'],
  [/rebaños|lobo|trashumante|protección de reb/, 'mountain'],
  [/pastoreo|oveja|cabra/, 'sheep'],
  [/vacas|ganado|toros|rancho/, 'cattle'],
  [/muestra|levantar|aves|becada/, 'birds'],
  [/carreras|a vista|gacela/, 'track'],
  [/liebre|conejo|caza menor/, 'hare'],
  [/jabalí|ciervo|corzo|mayor|alce|oso|rastr|jauría|mapache|zorro|caza|trufa/, 'forest'],
  [/ratonero|asador/, 'barn'],
  [/guarda|defensa|vigilancia|granja|monasterio|pelea|trabajo|circo/, 'guard'],
]

/** Which scene a purpose is drawn as. Small companions stay at home. */
export const sceneOf = (purpose: string): keyof typeof PURPOSE_SCENES =>
  SCENE_PATTERNS.find(([words]) => words.test(purpose.toLowerCase()))?.[1] ?? 'home'

export function purposePicture(facts: PortraitFacts & { proposito_original: string }): string {
  const { label, back, front, dog } = PURPOSE_SCENES[sceneOf(facts.proposito_original)] as PurposeScene
  const [x, y, scale] = dog
  // Big dogs stand larger in the same landscape, small ones smaller, within what the strip can hold.
  const size = scale * (0.72 + Math.min(1, facts.altura_cm_max / 75) * 0.42)
  const body = back + front + `<g transform="translate(${x} ${y}) scale(${size.toFixed(2)})">${sideDog(facts).svg}</g>`
  return svgPicture('0 0 640 130', label, body, ' preserveAspectRatio="xMidYMax slice"')
}
