/** The icons that a page may repeat dozens of times. Their drawings come once a page (IconSymbols.astro). */
export const SYMBOL_NAMES = ['chevron', 'heart', 'pin', 'sparkles', 'star'] as const
export type SymbolName = (typeof SYMBOL_NAMES)[number]

/** The id of an icon's `<symbol>`. */
export const symbolId = (name: SymbolName): string => `i-${name}`
