import type { Engine, Json } from './engine.ts'

/** Nothing here takes longer where all is well, ms; the machine may be busy. */
const STEP_TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 60
/** So often somebody presses a field that does not take the focus. */
const MAX_PRESSES = 5

export interface Target {
  selector: string
  /** What it says, or is called; a part of it will do. */
  text?: string
}

interface ClickPoint {
  x: number
  y: number
  /** The element that covers it. */
  under: string
}

/** Where the first thing that can be seen and used and fits is, brought into view; null where there is none. */
function locateTarget(selector: string, text: string): { x: number; y: number; under: string } | null {
  const names = (one: Element) => `${one.getAttribute('aria-label') ?? ''} ${one.textContent}`.replace(/\s+/g, ' ')
  const one = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (each) =>
      each.checkVisibility({ visibilityProperty: true }) && !each.matches(':disabled') && names(each).includes(text),
  )
  if (!one) return null
  let box = one.getClientRects()[0]
  if (!box) return null
  // Only where it must: what is scrolled closes.
  const isIn = (at: DOMRect) => at.top >= 0 && at.left >= 0 && at.bottom <= innerHeight && at.right <= innerWidth
  const centre = (at: DOMRect) => [at.left + at.width / 2, at.top + at.height / 2] as const
  const over = (at: DOMRect) => {
    const hit = document.elementFromPoint(...centre(at))
    const mine: (Element | null)[] = [one, ...((one as HTMLInputElement).labels ?? [])]
    const isMine = mine.some((each) => each?.contains(hit)) || (hit !== document.body && hit?.contains(one))
    return isMine ? '' : hit
  }
  if (!isIn(box) || over(box) !== '') {
    one.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    box = one.getClientRects()[0]!
  }
  const hit = over(box)
  const [x, y] = centre(box)
  return { x, y, under: hit === '' ? '' : (hit?.outerHTML.slice(0, 100) ?? 'nothing') }
}

/** The id of the field with this label, made where it has none. */
function findFieldId(within: string, label: string): string | null {
  const labels = [...document.querySelectorAll<HTMLLabelElement>(`${within} label`)]
  const words = (one: Element) => (one.textContent ?? '').replace(/\s+/g, ' ').trim()
  const found =
    labels.find((one) => words(one) === label && one.control) ??
    labels.find((one) => words(one).startsWith(label) && one.control)
  if (!found?.control) return null
  found.control.id ||= `engine-${Math.random()}`.replace('0.', '')
  return found.control.id
}

/** Does what a person does, in any engine: looks, waits, presses, types. */
export function createPerson(engine: Engine) {
  /** Waits until `look` gives something in the page. @throws with `what` where it never does */
  async function until<A extends Json[], T extends Json | undefined>(
    what: string,
    look: (...args: A) => T,
    ...args: A
  ) {
    const end = Date.now() + STEP_TIMEOUT_MS
    for (;;) {
      // A page that is just being left has no answer.
      const found = await engine.run(look, ...args).catch(() => null)
      if (found) return found
      if (Date.now() > end)
        throw new Error(`not in ${STEP_TIMEOUT_MS} ms: ${what} (${await engine.run(() => location.href)})`)
      await new Promise((done) => setTimeout(done, POLL_INTERVAL_MS))
    }
  }

  /** Waits until it stands still with nothing over it. */
  async function find({ selector, text = '' }: Target): Promise<ClickPoint> {
    const end = Date.now() + STEP_TIMEOUT_MS
    let last: ClickPoint | null = null
    for (;;) {
      const place = (await engine.run(locateTarget, selector, text).catch(() => null)) as ClickPoint | null
      const isStill = last && place && Math.abs(last.x - place.x) < 1 && Math.abs(last.y - place.y) < 1
      if (place && isStill && !place.under) return place
      if (Date.now() > end) {
        const why = place?.under ? `under ${place.under}` : place ? 'it moves' : 'it is not there'
        throw new Error(`«${selector}» «${text}»: ${why} (${await engine.run(() => location.href)})`)
      }
      last = place
      await new Promise((done) => setTimeout(done, POLL_INTERVAL_MS))
    }
  }

  const press = async (selector: string, text?: string) => {
    const { x, y } = await find({ selector, ...(text !== undefined && { text }) })
    await engine.click(x, y)
  }

  return {
    until,
    press,
    find,
    sees: (selector: string, text = '') =>
      until(
        `«${selector}» «${text}»`,
        (selector: string, text: string) =>
          [...document.querySelectorAll(selector)].some(
            (one) =>
              one.checkVisibility({ visibilityProperty: true }) && one.textContent!.replace(/\s+/g, ' ').includes(text),
          ),
        selector,
        text,
      ),
    isGone: (selector: string) =>
      until(
        `no «${selector}»`,
        (selector: string) => ![...document.querySelectorAll(selector)].some((one) => one.checkVisibility()),
        selector,
      ),
    isAt: (address: string) =>
      until(
        `address ${address}`,
        (address: string) => (location.pathname + location.search).includes(address),
        address,
      ),
    /** Types over what stands in the field with this label. */
    fill: async (within: string, label: string, text: string) => {
      const id = await until(`the field «${label}»`, findFieldId, within, label)
      const hasFocus = () => engine.run((id: string) => document.activeElement?.id === id, String(id))
      await press(`#${escapeCss(String(id))}`)
      // On a busy machine WebKit's driver loses a press now and then.
      for (let i = 0; i < MAX_PRESSES && !(await hasFocus()); i++) await press(`#${escapeCss(String(id))}`)
      await engine.press('SelectAll')
      await engine.type(text)
      await until(
        `«${text}» in «${label}»`,
        (id: string, text: string) => (document.getElementById(id) as HTMLInputElement | null)?.value === text,
        String(id),
        text,
      )
    },
  }
}
export type Person = ReturnType<typeof createPerson>

/** React's ids hold colons and quillemets. */
const escapeCss = (id: string) => id.replace(/[^\w-]/g, (letter) => `\\${letter.codePointAt(0)!.toString(16)} `)
