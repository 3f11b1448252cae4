'use client'
import { Volume2, VolumeX } from 'lucide-react'
import { useState } from 'react'

export function SoundSwitch() {
  const [on, setOn] = useState(true)
  return (
    <button
      type="button"
      className="sound"
      aria-pressed={on}
      aria-label="Sonido de los likes"
      data-tooltip="Sonido de los likes"
      onClick={() => setOn(!on)}
    >
      <Volume2 className="on" aria-hidden="true" />
      <VolumeX className="off" aria-hidden="true" />
    </button>
  )
}
