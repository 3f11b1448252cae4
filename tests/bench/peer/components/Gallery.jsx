'use client'
import { ChevronLeft, ChevronRight, Expand, MapPin, Sparkles, Star } from 'lucide-react'
import { useRef } from 'react'

/** The strip scrolls by itself; the arrows only push it. */
export function Gallery({ photos, alt, card, seal, zone }) {
  const strip = useRef(null)
  const many = photos.length > 1
  const step = (by) => strip.current.scrollBy({ left: by * strip.current.clientWidth, behavior: 'smooth' })
  return (
    <div className="gallery" aria-roledescription="carrusel" role="group" aria-label="Fotos">
      <div className={card ? `sticker big ${card}` : 'sticker big'}>
        {seal && (
          <span className="seal">
            {card === 'holo' ? (
              <Sparkles className="ic" aria-hidden="true" />
            ) : (
              <Star className="ic" aria-hidden="true" />
            )}
            {seal}
          </span>
        )}
        <div className="shot">
          <ul ref={strip} className="strip" {...(many && { tabIndex: 0, 'aria-label': 'Fotos, desliza para ver más' })}>
            {photos.map(({ url, src }, index) => (
              <li key={url} id={`foto-${index + 1}`}>
                <img
                  className="pic"
                  src={src}
                  alt={many ? `${alt}. Foto ${index + 1} de ${photos.length}` : alt}
                  width={900}
                  height={900}
                  loading={index === 0 ? 'eager' : 'lazy'}
                  fetchPriority={index === 0 ? 'high' : undefined}
                  decoding="async"
                />
              </li>
            ))}
          </ul>
          {zone && (
            <span className="on-photo">
              <MapPin className="ic" aria-hidden="true" />
              {zone}
            </span>
          )}
          {many && (
            <>
              <button type="button" className="round nav prev" aria-label="Foto anterior" onClick={() => step(-1)}>
                <ChevronLeft className="ic" aria-hidden="true" />
              </button>
              <button type="button" className="round nav next" aria-label="Foto siguiente" onClick={() => step(1)}>
                <ChevronRight className="ic" aria-hidden="true" />
              </button>
            </>
          )}
          <button
            type="button"
            className="round zoom"
            aria-label="Ver a pantalla completa"
            onClick={() => void strip.current.requestFullscreen()}
          >
            <Expand className="ic" aria-hidden="true" />
          </button>
        </div>
      </div>
      {many && (
        <p className="dots">
          {photos.map(({ url }, index) => (
            <a
              key={url}
              href={`#foto-${index + 1}`}
              aria-label={`Foto ${index + 1} de ${photos.length}`}
              aria-current={index === 0 ? 'true' : undefined}
            />
          ))}
        </p>
      )}
    </div>
  )
}
