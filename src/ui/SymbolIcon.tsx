import { type SymbolName, symbolId } from './icon-symbols.ts'

/** A decorative icon that refers to its drawing. The page must contain ui/IconSymbols.astro (tests/api/pages/icon-symbols). */
export const SymbolIcon = ({ name }: { name: SymbolName }) => (
  <svg className="ic" aria-hidden>
    <use href={`#${symbolId(name)}`} />
  </svg>
)
