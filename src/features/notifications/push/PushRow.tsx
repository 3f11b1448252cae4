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

/** The bell's last row: notices on this device, asked for by a press and never else. Loaded with the open panel. */
export default function PushRow() {
  const [state, setState] = useState<DeviceState | null>(null)
  const [wanted, setWanted] = useState<boolean | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    let isHere = true
    readDeviceState()
      .then((found) => isHere && setState(found))
      .catch((error: unknown) => console.error('Error reading push state:', error))
    return () => void (isHere = false)
  }, [])

  const press = (wish: boolean) => {
    if (wanted !== null) return
    setWanted(wish)
    setProblem(null)
    void (wish ? turnOn() : turnOff())
      .then(setState)
      .catch((error: unknown) => {
        console.error('Error changing push state:', error)
        setProblem(wish ? DEVICE_TEXTS.failed : DEVICE_TEXTS.notOff)
      })
      .finally(() => setWanted(null))
  }

  if (state === 'none') return null
  const isOn = wanted ?? state === 'on'
  const hint = problem ?? (state && STATE_HINTS[state])
  const isStuck = state === null || state === 'no' || state === 'ios' || state === 'denied'
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
          disabled={isStuck}
          aria-busy={wanted !== null}
          aria-describedby={hint ? 'np-push-hint' : undefined}
          onChange={(event) => press(event.currentTarget.checked)}
        />
      </label>
      <a
        className="btn icon ghost"
        href={`${paths.account}#avisos`}
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
