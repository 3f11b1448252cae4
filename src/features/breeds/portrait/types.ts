/** Shared vocabulary of the portrait drawer. Lengths are viewBox units (0–200), y grows downwards. */
import type portraits from '#data/portraits.json'

export type HeadType = keyof typeof portraits.heads

/** The breed facts the drawing reads. */
export interface PortraitFacts {
  slug: string
  orejas: string
  cola: string
  hocico: string
  colores: string
  pelaje: string
  fci_grupo: number | null
  fci_seccion: string | null
  peso_kg_min: number
  peso_kg_max: number
  altura_cm_min: number
  altura_cm_max: number
  nombre_castellano: string
}

/** Places that stand in for a photo's background. */
export type Scene =
  | 'park'
  | 'beach'
  | 'mountain'
  | 'snow'
  | 'sofa'
  | 'street'
  | 'forest'
  | 'garden'
  | 'patio'
  | 'lake'
  | 'field'
  | 'night'

export interface PortraitOptions {
  /** 'disc' = plain disc ground of the breed picture; a scene name = stand-in for a photo's place; 'none' = transparent. Default 'disc'. */
  ground?: 'disc' | Scene | 'none'
  /** One dark shape with no ground, for empty album slots. */
  silhouette?: boolean
  /** Any string: varies collar, head turn, shade and expression, so that two dogs of a breed differ. Absent: the canonical picture. */
  individual?: string
  /** Width and height in px. Default none: only the viewBox. */
  size?: number
}

/** A point; the optional third value is sharpness, 0 = smooth (default) to 1 = hard corner. */
export type Point = readonly [number, number, (number | undefined)?]

export type Family =
  | 'gundog'
  | 'shepherd'
  | 'spitz'
  | 'apple'
  | 'sight'
  | 'molosser'
  | 'flat'
  | 'hound'
  | 'spaniel'
  | 'terrier'
  | 'primitive'
  | 'egg'
  | 'poodle'
  | 'round'
  | 'bull'
  | 'pinscher'

export type EarKind =
  | 'erect'
  | 'bat'
  | 'small'
  | 'bear'
  | 'tall'
  | 'wing'
  | 'butterfly'
  | 'tulip'
  | 'prick'
  | 'hooded'
  | 'blunt'
  | 'semi'
  | 'tipped'
  | 'button'
  | 'highButton'
  | 'rose'
  | 'roseBack'
  | 'drop'
  | 'vee'
  | 'highFold'
  | 'pendant'
  | 'leaf'
  | 'filbert'
  | 'long'
  | 'lobe'
  | 'hound'
  | 'pointed'
  | 'curled'
  | 'fold'

/** How the edge of the coat is drawn. */
export type Coat =
  | 'smooth'
  | 'medium'
  | 'long'
  | 'fluffy'
  | 'mane'
  | 'silky'
  | 'shaggy'
  | 'curly'
  | 'wire'
  | 'corded'
  | 'hairless'

export type Mark =
  | 'blaze'
  | 'wideBlaze'
  | 'mask'
  | 'fullMask'
  | 'tan'
  | 'husky'
  | 'wolf'
  | 'urajiro'
  | 'sable'
  | 'patches'
  | 'onePatch'
  | 'half'
  | 'cap'
  | 'spots'
  | 'ticks'
  | 'roan'
  | 'merle'
  | 'harlequin'
  | 'brindle'
  | 'wrinkles'
  | 'folds'
  | 'goggles'
  | 'saddle'
  | 'pepper'
  | 'skinSpots'
  | 'brows'
  | 'swiss'
  | 'cheeks'
  | 'ridge'
  | 'bridge'
  | 'star'
  | 'snip'
  | 'ring'
  | 'crown'
  | 'speckles'
  | 'furrow'

/** One colour (#rrggbb) per part. */
export interface Palette {
  base: string
  ear: string
  inner: string
  muzzle: string
  chest: string
  body: string
  /** Second coat colour: patches, cap, stripes. */
  second: string
  /** White or cream of blaze and bib. */
  light: string
  /** Tan points. */
  tan: string
  /** Dark mask. */
  mask: string
  /** Hair around the face: ruff or curtains. */
  ruff: string
  /** Hair on the skull: topknot, fringe, crest. */
  top: string
  /** Beard and brows of wire coats. */
  beard: string
  eye: string
  nose: string
}

/** Everything the drawing needs to know; facts are translated into this first. */
export interface Traits {
  family: Family
  head: HeadType
  ear: EarKind
  /** Factors, 1 = the shape as designed. */
  earLen: number
  earWide: number
  /** Extra outward turn of the ear, degrees. */
  earTurn: number
  /** Height and spread of the ear root relative to the family's, units. */
  earUp: number
  earOut: number
  coat: Coat
  pal: Palette
  marks: Mark[]
  /** Factors on the head's width and the muzzle's width. */
  wide: number
  muzzleWide: number
  /** Factors on the half widths above and below the eyes. */
  skull: number
  jaw: number
  /** Units the crown rises (+) or sinks (-). */
  crown: number
  /** Units the nose sits lower (+) or higher (-) than the head's. */
  noseDrop: number
  noseSize: number
  /** A nose that is split by a groove. */
  noseSplit: boolean
  /** Eye factors and shift outwards, units. */
  eyeSize: number
  eyeOut: number
  /** Units the eyes sit higher (+) or lower (-). */
  eyeUp: number
  look: 'round' | 'almond' | 'droopy' | 'soft' | 'keen'
  /** Second eye colour when the eyes differ. */
  oddEye?: string
  mouth: 'tongue' | 'smile' | 'closed'
  /** Tongue colour when it is not pink. */
  tongue?: string
  /** Half width of the shoulders and of the neck, units. */
  body: number
  neck: number
  /** 0 none, 1 moustache, 2 full beard. */
  beard: 0 | 1 | 2
  /** Factors on the beard. */
  beardLong: number
  beardWide: number
  brows: 0 | 1 | 2
  /** Factor on the brows: long ones hang over the eyes. */
  browLong: number
  /** Hair on the skull. */
  hair:
    | 'none'
    | 'tuft'
    | 'topknot'
    | 'pompom'
    | 'pear'
    | 'halo'
    | 'forelock'
    | 'fringe'
    | 'crest'
    | 'bow'
    | 'parting'
    | 'cords'
    | 'cordfringe'
  /** Fur depth factor. */
  fluff: number
  /** Head scale about the neck. */
  scale: number
  collar: string
  tag: string
  collarKind: 'plain' | 'wide' | 'bandana' | 'stripe' | 'bow' | 'none'
  /** Head tilt in degrees and sideways turn in units. */
  tilt: number
  turn: number
  /** The whole dog's step aside in units, and its size factor. */
  aside: number
  near: number
  tail: 'none' | 'curl'
  jowl: boolean
  /** Seed of the small random shapes. */
  seed: string
}

/** What a breed may change by hand. */
export type TraitOverride = Partial<Omit<Traits, 'pal' | 'seed'>> & {
  pal?: Partial<Palette>
  colour?: string
  add?: Mark[]
  drop?: Mark[]
}
