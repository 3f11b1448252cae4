import { useCallback, useEffect, useState } from 'react'
import type { Geocode } from '#features/places/places.ts'
import { FOUND_MESSAGE_MS } from './address-search.ts'
import { type AddressMessage, searchRunner } from './search-runner.client.ts'

/** State of the address box (docs/product.md §16.3): what is typed, and the message below it. */
export function useSearch(onPlace: (place: Geocode) => void) {
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useState<AddressMessage | null>(null)
  const [runner] = useState(() => searchRunner(setMessage))
  useEffect(() => runner.listen(onPlace))
  useEffect(() => runner.stop, [runner])
  useEffect(() => {
    if (message?.kind !== 'found') return
    const timer = setTimeout(() => setMessage(null), FOUND_MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [message])

  /** Removes the message, unless a search is running. */
  const dismiss = useCallback(() => setMessage((now) => (now?.kind === 'busy' ? now : null)), [])
  const type = (value: string) => {
    setTyped(value)
    dismiss()
    runner.search(value, false)
  }
  const clear = () => {
    runner.stop()
    setTyped('')
    setMessage(null)
  }
  return { typed, message, type, enter: () => runner.search(typed, true), clear, dismiss }
}
