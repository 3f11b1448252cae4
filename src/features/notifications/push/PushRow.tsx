import { BellRing, Settings2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { paths } from '#lib/paths.ts'
import { type DeviceState, readDeviceState, turnOff, turnOn } from './device.client.ts'
import { DEVICE_TEXTS } from './browser-support.ts'

const STATE_HINTS: Partial<Record<DeviceState, string>> = {
  no: DEVICE_TEXTS.no,
  ios: DEVICE_TEXTS.ios,
  denied: DEVICE_TEXTS.denied,
}

/** The panel's last row: notifications on this device. Asks for permission only when it is switched on. */
export default function PushRow() {
  const [state, setState] = useState<DeviceState | null>(null)
  const [pending, setPending] = useState<boolean | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    let isMounted = true
    readDeviceState()
      .then((loaded) => isMounted && setState(loaded))
      .catch((error: unknown) => console.error('Error reading push state:', error))
    return () => void (isMounted = false)
  }, [])

  const toggle = (isEnabling: boolean) => {
    if (pending !== null) return
    setPending(isEnabling)
    setProblem(null)
    void (isEnabling ? turnOn() : turnOff())
      .then(setState)
      .catch((error: unknown) => {
        console.error('Error changing push state:', error)
        setProblem(isEnabling ? DEVICE_TEXTS.failed : DEVICE_TEXTS.notOff)
      })
      .finally(() => setPending(null))
  }

  if (state === 'none') return null
  const isOn = pending ?? state === 'on'
  const hint = problem ?? (state && STATE_HINTS[state])
  const isUnavailable = state === null || state === 'no' || state === 'ios' || state === 'denied'
  return (
    <div className="np-push">
      <BellRing aria-hidden="true" />
      <label className="switch">
        <span>{DEVICE_TEXTS.name}</span>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          disabled={isUnavailable}
          aria-busy={pending !== null}
          aria-describedby={hint ? 'np-push-hint' : undefined}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
      </label>
      <a
        className="btn icon ghost"
        href={paths.notices}
        aria-label={DEVICE_TEXTS.settings}
        title={DEVICE_TEXTS.settings}
      >
        <Settings2 aria-hidden="true" />
      </a>
      <p id="np-push-hint" className={problem ? 'err' : 'hint'} role="status" hidden={!hint}>
        {hint}
      </p>
    </div>
  )
}
