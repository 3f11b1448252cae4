import { MessageSquarePlus, MessageSquareText } from 'lucide-react'
import type { Photo } from './gallery.ts'

interface Props {
  photo: Photo
  /** Its position, from 1. */
  position: number
  isOpen: boolean
  disabled: boolean
  onClick: () => void
}

/** Opens the description of a photo. Its icon, colour and label change once there is one. */
export function AltTextButton({ photo, position, isOpen, disabled, onClick }: Props) {
  const isDescribed = photo.alt.trim() !== ''
  const text = isDescribed ? 'Descripción' : 'Describir'
  const label = isDescribed ? `Descripción de la foto ${position}` : `Describir foto ${position}`
  return (
    <button
      type="button"
      className="df-knob df-describe"
      aria-label={label}
      aria-expanded={isOpen}
      aria-controls={isOpen ? 'df-words' : undefined}
      data-described={isDescribed || undefined}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {isDescribed ? <MessageSquareText aria-hidden /> : <MessageSquarePlus aria-hidden />}
      <span>{text}</span>
    </button>
  )
}
