/** Options of emoji-mart's picker (docs/product.md §9.3). */
export const PICKER_OPTIONS = {
  perLine: 8,
  maxFrequentRows: 1,
  previewPosition: 'none',
  searchPosition: 'none',
  skinTonePosition: 'none',
  navPosition: 'top',
  set: 'native',
  theme: 'auto',
  icons: 'outline',
  locale: 'es',
  /** Animals come first, below the row of what was used before. */
  categories: ['frequent', 'nature', 'people', 'foods', 'activity', 'places', 'objects', 'symbols', 'flags'],
} as const

/** The six skin tones: emoji-mart shows its own only beside a preview or a search. */
export const SKIN_TONES = ['Sin tono', 'Claro', 'Medio claro', 'Medio', 'Medio oscuro', 'Oscuro'] as const

/** Maximum width of an emoji's button. */
const MAX_BUTTON_PX = 44
/** Width of the picker's padding and scrollbar. */
const PICKER_CHROME_PX = 28

/** Width of an emoji's button, px, in a picker `width` px wide. */
export const emojiButtonSizePx = (width: number): number =>
  Math.min(MAX_BUTTON_PX, Math.floor((width - PICKER_CHROME_PX) / PICKER_OPTIONS.perLine))
