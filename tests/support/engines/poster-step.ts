import * as assert from 'uvu/assert'
import type { JourneyContext } from './journey-steps.ts'

/** A poster shows all that is typed on it. */
export async function poster({ engine, person, goto, inspect }: JourneyContext): Promise<void> {
  // From the own dog's page, where the step before ended.
  const id = await engine.run(() => document.querySelector<HTMLElement>('main [data-like]')!.dataset.like!)
  await goto(`/perro/${id}/cartel`)
  await person.fill('.poster', 'Contacto', 'María de los Ángeles Fernández-Villaverde, 600 123 456 789')
  assert.equal(
    await engine.run(() =>
      [...document.querySelectorAll('.poster textarea')].map(
        ({ clientHeight, scrollHeight }) => scrollHeight - clientHeight <= 1,
      ),
    ),
    [true, true],
  )
  await inspect('poster')
}
