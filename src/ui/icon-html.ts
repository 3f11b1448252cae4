import type { LucideIcon, LucideProps } from 'lucide-react'
import { reactHtml } from './react-html.ts'

/**
 * An icon as HTML, for `set:html` in a loop, where the component would cost more than the icon.
 * @param label its accessible name where no text stands beside it; without one it is hidden from assistive technology
 */
export const iconHtml = (icon: LucideIcon, className?: string, label?: string): string =>
  reactHtml<LucideProps>(icon, { className, 'aria-label': label })
