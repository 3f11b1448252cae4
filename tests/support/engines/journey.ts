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
 * Runs a person through the site's main tasks, with screenshots.
 * @param name of the screenshots, and of the person
 * @returns failed steps, page errors and layout faults
 */
export async function runJourney(
  world: EngineWorld,
  open: (size: ScreenOptions) => Promise<Engine>,
  name: string,
  size: ScreenOptions,
) {
  const engine = await open(size)
  const faults: string[] = []
  mkdirSync(SCREENSHOTS_DIR, { recursive: true })
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
  try {
    for (const step of [visitList, ...Object.values(STEPS)]) {
      const startedAt = Date.now()
      // The next steps may still pass, and more is learnt from them.
      await step(context).catch(async (error: Error) => {
        faults.push(`${step.name}: ${error.message}`)
        await engine.screenshot(`${SCREENSHOTS_DIR}/${name}-${step.name}-failed.png`)
        if (++failures === MAX_FAILED_STEPS) throw error
      })
      if (process.env.ENGINES_TIMES) console.log(`${name} ${step.name} ${Date.now() - startedAt} ms`)
    }
  } catch {
    faults.push('given up')
  }
  faults.push(...(await engine.errors().catch((error: Error) => [`errors not available: ${error.message}`])))
  await engine.close()
  return faults
}
