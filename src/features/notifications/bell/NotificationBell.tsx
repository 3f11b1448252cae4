import { isPlainClick } from '#lib/plain-click.ts'
import { useStore } from '@nanostores/react'
import { CheckCheck, LoaderCircle, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { isShownRead, shownUnread } from './bell.ts'
import { $bell, $isBellOpen } from './bell.store.ts'
import { NotificationItem } from './NotificationItem.tsx'
import { loadBell, markAllNotificationsRead, markNotificationRead } from './bell-api.client.ts'
import styles from './panel.css?url'
import { SleepingDog } from './SleepingDog.tsx'

/** The button that opens the panel: the header's bell (Bell.astro). */
export const BELL_SELECTOR = '[data-bell]'

/** Loaded with the first opened panel. Where loading fails, the panel works without it. */
const PushRow = lazy(() => import('#features/notifications/push/PushRow.tsx').catch(() => ({ default: () => null })))

// The panel's style sheet loads with its code, not with every page.
const stylesLoaded = loadStylesheet(styles)

/** The panel's island, hydrated when the bell is clicked (client:demand). A popover: Escape, «back» and a click outside close it. */
export default function NotificationBell() {
  const panel = useRef<HTMLDivElement>(null)
  const isOpen = useStore($isBellOpen)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    const button = document.querySelector<HTMLElement>(BELL_SELECTOR)
    const element = panel.current!
    if (!button) return
    const unmount = new AbortController()
    const { signal } = unmount
    let wasOpen = false
    // A press on the bell is outside the popover, and has closed it before the click event.
    const handlePointerDown = () => void (wasOpen = element.matches(':popover-open'))
    const handleClick = (event: MouseEvent) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      if (wasOpen || element.matches(':popover-open')) element.hidePopover()
      else
        void stylesLoaded.then(() => {
          positionPanel(element, button)
          element.showPopover()
          element.focus()
        })
      wasOpen = false
    }
    const handleToggle = (event: Event) => {
      const isShown = (event as ToggleEvent).newState === 'open'
      $isBellOpen.set(isShown)
      button.setAttribute('aria-expanded', String(isShown))
      if (isShown) void loadBell().then(setProblem)
      else if (document.activeElement === document.body || element.contains(document.activeElement)) button.focus()
    }
    // The panel closes when the keyboard's focus leaves it, so that it does not cover the page.
    const handleFocusOut = ({ relatedTarget: to }: FocusEvent) => {
      if (to instanceof Element && !element.contains(to) && !to.closest(BELL_SELECTOR)) element.hidePopover()
    }
    button.addEventListener('pointerdown', handlePointerDown, { signal })
    button.addEventListener('click', handleClick, { signal })
    element.addEventListener('toggle', handleToggle, { signal })
    element.addEventListener('focusout', handleFocusOut, { signal })
    window.addEventListener('resize', () => positionPanel(element, button), { signal })
    element.dispatchEvent(new CustomEvent('island:ready', { bubbles: true }))
    return () => unmount.abort()
  }, [])

  return (
    <div ref={panel} popover="auto" role="dialog" aria-labelledby="np-title" tabIndex={-1} className="np">
      {isOpen && <Panel problem={problem} onProblem={setProblem} onFollow={() => panel.current?.hidePopover()} />}
    </div>
  )
}

interface PanelProps {
  problem: string | null
  onProblem: (problem: string | null) => void
  onFollow: () => void
}

function Panel({ problem, onProblem, onFollow }: PanelProps) {
  const bell = useStore($bell)
  const now = useCurrentMinute()
  const { list } = bell
  const isWaiting = !list && !problem
  const markAllRead = () => {
    if (shownUnread(bell) > 0) void markAllNotificationsRead().then(onProblem)
  }
  return (
    <>
      <h2 id="np-title">Notificaciones</h2>
      {problem && (
        <p className="err" role="alert">
          <TriangleAlert aria-hidden="true" />
          {problem}
        </p>
      )}
      <div className="np-area" data-scroll="" aria-busy={isWaiting}>
        {isWaiting && (
          <p className="np-wait" role="status">
            <LoaderCircle className="spin" aria-hidden="true" />
            Cargando...
          </p>
        )}
        {list?.length === 0 && (
          <div className="np-none">
            <SleepingDog />
            <h3>No hay notificaciones</h3>
            <p>¡Mantente activo para recibir notificaciones!</p>
          </div>
        )}
        {list && list.length > 0 && (
          <ul>
            {list.map((notification) => (
              <NotificationItem
                key={notification.id}
                notification={notification}
                isRead={isShownRead(bell, notification)}
                isNew={notification.isFresh === true}
                now={now}
                onRead={() => void markNotificationRead(notification.id).then(onProblem)}
                onFollow={onFollow}
              />
            ))}
          </ul>
        )}
      </div>
      {list && list.length > 0 && (
        <div className="np-foot">
          <button
            type="button"
            className="btn ghost wide"
            aria-disabled={shownUnread(bell) === 0}
            onClick={markAllRead}
          >
            <CheckCheck aria-hidden="true" />
            Marcar todas como leídas
          </button>
        </div>
      )}
      <Suspense fallback={<div className="np-push" />}>
        <PushRow />
      </Suspense>
    </>
  )
}

/** The current time, updated each minute. */
function useCurrentMinute(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Positions the panel below the bell, aligned at the right (panel.css: full width on phones). */
function positionPanel(panel: HTMLElement, button: HTMLElement): void {
  const { bottom, right } = button.getBoundingClientRect()
  panel.style.setProperty('--np-top', `${Math.round(bottom + window.scrollY)}px`)
  panel.style.setProperty(
    '--np-right',
    `${Math.round(document.documentElement.getBoundingClientRect().right - right)}px`,
  )
}
