import type { LucideIcon, LucideProps } from 'lucide-react'
import { reactHtml } from './react-html.ts'

/** Attributes that lucide writes and styles/base.css sets for `.lucide`; the namespace is implied in HTML. */
const STYLED_ATTRIBUTES =
  / xmlns="[^"]*"| (?:width|height)="24"| fill="none"| stroke="currentColor"| stroke-(?:width="2"|linecap="round"|linejoin="round")/g

/**
 * An icon as HTML, for `set:html` in a loop, where the component would cost more than the icon.
 * @param label its accessible name where no text stands beside it; without one it is hidden from assistive technology
 */
export const iconHtml = (icon: LucideIcon, className?: string, label?: string): string =>
  reactHtml<LucideProps>(icon, { className, 'aria-label': label }).replace(/^<svg[^>]*>/, (tag) =>
    tag.replace(STYLED_ATTRIBUTES, ''),
  )
