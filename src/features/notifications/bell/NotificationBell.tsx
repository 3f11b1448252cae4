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

/** What opens the panel: the header's bell (Bell.astro). */
export const BELL_SELECTOR = '[data-bell]'

/** Comes with the first opened panel, not with the bell; the panel is whole without it. */
const PushRow = lazy(() => import('#features/notifications/push/PushRow.tsx').catch(() => ({ default: () => null })))

// The panel's style sheet comes with its code, not with every page.
const stylesLoaded = loadStylesheet(styles)

/** The island: sleeps until the bell is clicked (client:demand). A popover: Escape, «back» and a press outside close it. */
export default function NotificationBell() {
  const panel = useRef<HTMLDivElement>(null)
  const isOpen = useStore($isBellOpen)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    const button = document.querySelector<HTMLElement>(BELL_SELECTOR)
    const element = panel.current!
    if (!button) return
    const away = new AbortController()
    const { signal } = away
    let wasOpen = false
    // A press on the bell is one outside the panel: it has closed it by the time it is a click.
    const press = () => void (wasOpen = element.matches(':popover-open'))
    const click = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return
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
    const toggled = (event: Event) => {
      const isShown = (event as ToggleEvent).newState === 'open'
      $isBellOpen.set(isShown)
      button.setAttribute('aria-expanded', String(isShown))
      if (isShown) void loadBell().then(setProblem)
      else if (document.activeElement === document.body || element.contains(document.activeElement)) button.focus()
    }
    // Who goes on by keyboard leaves nothing lying over the page.
    const leave = ({ relatedTarget: to }: FocusEvent) => {
      if (to instanceof Element && !element.contains(to) && !to.closest(BELL_SELECTOR)) element.hidePopover()
    }
    button.addEventListener('pointerdown', press, { signal })
    button.addEventListener('click', click, { signal })
    element.addEventListener('toggle', toggled, { signal })
    element.addEventListener('focusout', leave, { signal })
    window.addEventListener('resize', () => positionPanel(element, button), { signal })
    element.dispatchEvent(new CustomEvent('island:ready', { bubbles: true }))
    return () => away.abort()
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
  const readAll = () => {
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
            {list.map((line) => (
              <NotificationItem
                key={line.id}
                line={line}
                isRead={isShownRead(bell, line)}
                isNew={line.isFresh === true}
                now={now}
                onRead={() => void markNotificationRead(line.id).then(onProblem)}
                onFollow={onFollow}
              />
            ))}
          </ul>
        )}
      </div>
      {list && list.length > 0 && (
        <div className="np-foot">
          <button type="button" className="btn ghost wide" aria-disabled={shownUnread(bell) === 0} onClick={readAll}>
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

/** The time, brought up to date each minute. */
function useCurrentMinute(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Puts the panel under the bell, its right edge by the bell's (panel.css: from side to side on a phone). */
function positionPanel(panel: HTMLElement, button: HTMLElement): void {
  const { bottom, right } = button.getBoundingClientRect()
  panel.style.setProperty('--np-top', `${Math.round(bottom + window.scrollY)}px`)
  panel.style.setProperty(
    '--np-right',
    `${Math.round(document.documentElement.getBoundingClientRect().right - right)}px`,
  )
}
