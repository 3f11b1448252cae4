import { MapPin, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { displayName } from '#features/dogs/dogs.ts'
import { photoSrc, photoSrcSet } from '#features/photos/photos.ts'
import { shownZone } from '#lib/text/zone.ts'
import type { PopupDog } from '../map.ts'
import type { MapEngine } from './map-engine.client.ts'

interface Props {
  dog: PopupDog
  engine: MapEngine
  onClose: () => void
}

/** Keeps the popup clear of its mark, of the controls over the map (two rows on a phone), and of the strip's corners. */
const OFFSET: [number, number] = [0, -62]
const topPadding = (): [number, number] => [12, matchMedia('(max-width: 560px)').matches ? 112 : 76]
const BOTTOM_PADDING: [number, number] = [12, 36]
/** Height of the popup with its mark. */
const POPUP_HEIGHT_PX = 220

/** A dog's popup (docs/product.md §16.1). It takes the focus and returns it to the dog's mark. */
export function DogPopup({ dog, engine, onClose }: Props) {
  const { id } = dog
  const { name, breed, zone, photo_url, path, note } = dog.properties
  const [holder] = useState(() => document.createElement('div'))
  const link = useRef<HTMLAnchorElement>(null)
  const { L, map } = engine.open

  useEffect(() => {
    const [lon, lat] = dog.geometry.coordinates
    const markOf = () => engine.markOf(id)?.element
    const at = engine.markOf(id)?.marker.getLatLng() ?? L.latLng(lat, lon)
    // On a low map the popup covers its mark, and the controls over the map make space (frame.css).
    const isLow = map.getSize().y < topPadding()[1] + POPUP_HEIGHT_PX
    map.getContainer().toggleAttribute('data-crowded', isLow)
    const popup = L.popup({
      closeButton: false,
      autoPanPaddingTopLeft: isLow ? [12, 8] : topPadding(),
      autoPanPaddingBottomRight: BOTTOM_PADDING,
      offset: isLow ? [0, 0] : OFFSET,
      className: 'dog-pop',
      minWidth: 0,
      maxWidth: 400,
    })
    popup.setLatLng(at).setContent(holder).openOn(map)
    link.current?.focus({ preventScroll: true })
    popup.on('remove', onClose)
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && onClose()
    holder.addEventListener('keydown', closeOnEscape)
    // The popup closes when keyboard focus moves elsewhere.
    const closeOnFocusElsewhere = ({ target }: FocusEvent) => {
      const isElsewhere = target instanceof Element && !holder.contains(target) && target !== markOf()
      if (isElsewhere && target.matches(':focus-visible')) onClose()
    }
    document.addEventListener('focusin', closeOnFocusElsewhere)
    return () => {
      const hadFocus = holder.contains(document.activeElement) || document.activeElement === document.body
      popup.off('remove', onClose)
      holder.removeEventListener('keydown', closeOnEscape)
      document.removeEventListener('focusin', closeOnFocusElsewhere)
      popup.remove()
      map.getContainer().removeAttribute('data-crowded')
      if (hadFocus) (markOf() ?? map.getContainer()).focus({ preventScroll: true })
    }
  }, [holder, dog, id, engine, L, map, onClose])

  return createPortal(
    <div className="sticker pop" role="dialog" aria-label={displayName(name)}>
      <span className="shot">
        <img
          className="pic"
          src={photoSrc(photo_url, 'thumb')}
          srcSet={photoSrcSet(photo_url, 'thumb')}
          alt=""
          width={92}
          height={92}
        />
      </span>
      <div className="words">
        {note && <strong>{note}</strong>}
        <b>
          <a href={path} ref={link} dir="auto">
            {displayName(name)}
          </a>
        </b>
        <span className="chip">{breed}</span>
        {zone && (
          <small>
            <MapPin className="ic" aria-hidden />
            {shownZone(zone)}
          </small>
        )}
      </div>
      <button type="button" className="x" aria-label="Cerrar" onClick={onClose}>
        <X className="ic" aria-hidden />
      </button>
    </div>,
    holder,
  )
}
