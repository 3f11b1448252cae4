/** Coat colours that many breeds share. */
export const CREAM = '#fff4e2'
export const WHITE = '#fffaf1'
export const BLACK = '#37322f'
export const DARK = '#2c2522'
