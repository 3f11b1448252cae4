import { useEffect } from 'react'
import { LikeButton } from '#features/likes/LikeButton.tsx'
import { blurSrc } from '#features/photos/blur.ts'
import { photoSrc, photoSrcSetByWidth } from '#features/photos/photos.ts'
import { shownZone } from '#lib/text/zone.ts'
import { SymbolIcon } from '#ui/SymbolIcon.tsx'
import './card.css'
import { CARD_STYLE_LABELS, isTwoLineTitle } from './card.ts'
import type { CardDog } from './card-dog.ts'
import { linkFrameStyles } from './frame-styles.client.ts'
import { FRAME_STYLES, frameLabel } from './seasonal-frames.ts'

interface Props {
  dog: CardDog
  /** Load the photo eagerly, for the first cards of a page. */
  eager?: boolean
  /** Fetch the photo with high priority, for the page's largest contentful paint. */
  first?: boolean
  /** The viewer likes it. */
  liked?: boolean | undefined
}

/**
 * The width of a card's photo in the grids of ui/styles/components.css, minus a pixel, so that phones of 390 px at 2x take the
 * smaller render. WebKit does not support `min()` here and would take 100vw.
 */
const CARD_SIZES = '(max-width:690px)calc(50vw - 45px),300px'

function responsiveSources(url: string) {
  const srcSet = photoSrcSetByWidth(url, 'card')
  return srcSet && { srcSet, sizes: CARD_SIZES }
}

/** The style sheet of the frame, where one is shown. */
const FRAME_LINK = { __html: `<link rel="stylesheet" href="${FRAME_STYLES}">` }

/** A dog's card, the same markup in every grid. Without hydration it consists of links and images. */
export function DogCard({ dog, eager = false, first = false, liked }: Props) {
  const { name, age } = dog
  const style = dog.card ? ` ${dog.card}` : ''
  useEffect(() => {
    if (dog.frame) linkFrameStyles()
  }, [dog.frame])
  return (
    <article className={`sticker dog-card${style}`} data-dog={dog.id}>
      {dog.card && (
        <span className="row seal">
          <SymbolIcon name={dog.card === 'holo' ? 'sparkles' : 'star'} />
          {CARD_STYLE_LABELS[dog.card]}
        </span>
      )}
      {dog.frame && (
        <span
          className={`season season-${dog.frame}`}
          role="img"
          aria-label={frameLabel(dog.frame)}
          // As HTML: React takes a link element out of the markup that it hydrates.
          dangerouslySetInnerHTML={FRAME_LINK}
        />
      )}
      <div className="shot">
        {dog.blur && <img className="blur" src={blurSrc(dog.blur)} alt="" />}
        <Photos dog={dog} eager={eager} first={first} />
        {dog.isLost && <b className="stack-count lost-mark">Se ha perdido</b>}
        <LikeButton id={dog.id} name={dog.sentenceName} likes={dog.likes} liked={liked} className="heart" />
      </div>
      <h3 className={isTwoLineTitle(name, age) ? 'long' : undefined}>
        <a href={dog.path}>{name}</a>
        {age && <small>{age}</small>}
      </h3>
      <p className="meta">
        <span className="chip">{dog.breed}</span>
        {dog.zone && (
          <span className="row zone">
            <SymbolIcon name="pin" />
            <span>{shownZone(dog.zone)}</span>
          </span>
        )}
      </p>
    </article>
  )
}

/**
 * The photo, or a swipeable strip of several. Its slides link too, because the strip covers the card's link. `tabIndex` -1
 * keeps the nameless scroller out of the Tab order: the card's link leads to all photos.
 */
function Photos({ dog, eager, first }: { dog: CardDog; eager: boolean; first: boolean }) {
  const urls = dog.photos
  const picture = (url: string, index: number) => (
    <img
      className="pic"
      src={photoSrc(url, 'card')}
      {...responsiveSources(url)}
      alt={index === 0 ? dog.alt : ''}
      loading={eager && index === 0 ? undefined : 'lazy'}
      fetchPriority={index > 0 ? 'low' : first ? 'high' : undefined}
      decoding="async"
    />
  )
  if (urls.length === 1) return picture(urls[0]!, 0)
  return (
    <>
      <div className="strip" tabIndex={-1}>
        {urls.map((url, index) => (
          <a key={url} href={dog.path} tabIndex={-1} aria-hidden={index > 0 || undefined}>
            {picture(url, index)}
          </a>
        ))}
      </div>
      <span className="stack-count" role="img" aria-label={`${urls.length} fotos`}>
        {urls.map((url) => (
          <i key={url} />
        ))}
      </span>
      {/* For the mouse only (photo-stack.client.ts): fingers swipe, and the card's link leads to all photos. */}
      <span className="stack-turn" data-turn="-1" aria-hidden />
      <span className="stack-turn" data-turn="1" aria-hidden />
    </>
  )
}
