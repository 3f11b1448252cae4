/** How the profile sets emoji-mart's picker (docs/product.md §9.3). */
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
} as const

/** The six skin tones; the picker shows its own only beside a preview or a search. */
export const SKIN_TONES = ['Sin tono', 'Claro', 'Medio claro', 'Medio', 'Medio oscuro', 'Oscuro'] as const

/** The widest an emoji's button gets, px, and the room the picker takes besides its eight, for padding and scrollbar. */
const MAX_BUTTON_PX = 44
const PICKER_CHROME_PX = 28

/** How wide an emoji's button may be where the picker has `width` px. */
export const emojiButtonSizePx = (width: number): number =>
  Math.min(MAX_BUTTON_PX, Math.floor((width - PICKER_CHROME_PX) / PICKER_OPTIONS.perLine))
