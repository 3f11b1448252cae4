/**
 * `node --import` this: the process reads its clock with what CLOCK_FILE says added, ms, as after somebody corrected the
 * machine's. Timers and `performance.now()` go on, as they do then.
 */
import { readFileSync } from 'node:fs'

const Real = Date
let offset = 0
const timer = setInterval(() => {
  try {
    offset = Number(readFileSync(process.env.CLOCK_FILE!, 'utf8')) || 0
  } catch {
    offset = 0
  }
}, 100)
timer.unref()

const now = () => Real.now() + offset
globalThis.Date = new Proxy(Real, {
  construct: (_date, args: [], target) => Reflect.construct(Real, args.length > 0 ? args : [now()], target),
  apply: () => new Real(now()).toString(),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
})
