import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { layoutFaults } from './checks.ts'
import type { Engine, ScreenOptions } from './engine.ts'
import { createPerson } from './person.ts'
import { type EngineWorld } from './world.ts'
import { type JourneyContext, STEPS, visitList } from './journey-steps.ts'

/** Screenshots of the last run; git ignores the folder. */
const SCREENSHOTS_DIR = resolve(import.meta.dirname, '../../../.cache/engines')

/** The journey ends after this many failed steps: the others would only time out. */
const MAX_FAILED_STEPS = 3

/**
 * Runs a person through the site's main tasks, with screenshots. A browser whose process dies is opened once more: WebKitGTK's does now
 * and then on a busy machine. A page that kills it kills it again.
 * @param name of the screenshots, and of the person
 * @returns failed steps, page errors and layout faults
 */
export async function runJourney(
  world: EngineWorld,
  open: (size: ScreenOptions) => Promise<Engine>,
  name: string,
  size: ScreenOptions,
): Promise<string[]> {
  mkdirSync(SCREENSHOTS_DIR, { recursive: true })
  const first = await tryJourney(world, await open(size), name)
  if (first.diedIn === undefined) return first.faults
  console.log(`perrario · ${name}: its process died in ${first.diedIn}, and is opened again`)
  const second = await tryJourney(world, await open(size), `${name}-2`)
  return second.diedIn === undefined ? second.faults : [...second.faults, `its process died in ${second.diedIn}`]
}

/** @returns the faults, and the step in which the browser's process died, if it did */
async function tryJourney(
  world: EngineWorld,
  engine: Engine,
  name: string,
): Promise<{ faults: string[]; diedIn?: string }> {
  const faults: string[] = []
  const inspect = async (step: string) => {
    await engine.screenshot(`${SCREENSHOTS_DIR}/${name}-${step}.png`)
    faults.push(...(await layoutFaults(engine, step)))
  }
  const goto = (path: string) => engine.goto(world.origin + path)
  const context: JourneyContext = {
    ...world,
    engine,
    person: createPerson(engine),
    email: `${name}@ejemplo.es`,
    ownDogPath: '',
    inspect,
    goto,
  }
  for (const limitation of engine.limitations) console.log(`perrario · ${name}: ${limitation}`)
  let failures = 0
  let diedIn: string | undefined
  for (const step of [visitList, ...Object.values(STEPS)]) {
    const startedAt = Date.now()
    try {
      await step(context)
    } catch (error) {
      faults.push(`${step.name}: ${error instanceof Error ? error.message : String(error)}`)
      const isAlive = await engine.screenshot(`${SCREENSHOTS_DIR}/${name}-${step.name}-failed.png`).then(
        () => true,
        () => false,
      )
      if (!isAlive) diedIn = step.name
      // Otherwise the next steps may still pass, and more is learnt from them.
      if (!isAlive || ++failures === MAX_FAILED_STEPS) {
        faults.push('given up')
        break
      }
    }
    if (process.env.ENGINES_TIMES) console.log(`${name} ${step.name} ${Date.now() - startedAt} ms`)
  }
  faults.push(...(await engine.errors().catch((error: Error) => [`errors not available: ${error.message}`])))
  await engine.close()
  return { faults, ...(diedIn !== undefined && { diedIn }) }
}
