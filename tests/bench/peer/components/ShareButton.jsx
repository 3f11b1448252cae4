'use client'
import { Share2 } from 'lucide-react'

export function ShareButton({ path }) {
  return (
    <button type="button" className="btn ghost" onClick={() => void navigator.share?.({ url: path })}>
      <Share2 className="ic" aria-hidden="true" />
      <span>Compartir</span>
    </button>
  )
}
