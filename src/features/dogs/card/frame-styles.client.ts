import { FRAME_STYLES } from './seasonal-frames.ts'

/** Links the frames' style sheet from the head: React empties what holds the one of a card that it hydrates. */
export function linkFrameStyles(): void {
  if (document.head.querySelector(`link[href="${FRAME_STYLES}"]`)) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = FRAME_STYLES
  document.head.append(link)
}
