import { fit, write } from './letters.server.ts'
import { fan, siteMotifs } from './member-card.server.ts'
import { ground, INK, wordmark } from './parts.server.ts'
import { CARD, TEXTS } from './share.ts'

/** The site as a link's picture. */
export async function drawSite(): Promise<string> {
  const x = 640
  const slogan = fit(TEXTS.slogan, 'head', [46], 500, 1)
  return (
    ground(CARD.width, CARD.height) +
    (await fan(siteMotifs())) +
    wordmark(x, 292, 108) +
    write(slogan.lines[0]!, { x, y: 364, size: slogan.size, family: 'head', fill: INK.ink }) +
    TEXTS.invitation.map((line, i) => write(line, { x, y: 420 + i * 38, size: 27, fill: INK.soft })).join('')
  )
}
