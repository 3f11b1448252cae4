import type { JourneyContext } from './journey-steps.ts'

/** The person's dog is lost, looked for, and comes home. */
export async function lost({ engine, person, goto, inspect, ownDogPath }: JourneyContext): Promise<void> {
  await goto(ownDogPath)
  const id = await engine.run(() => document.querySelector<HTMLElement>('main [data-like]')!.dataset.like!)
  await goto(`/perdidos/${id}`)
  await person.fill('.lost-page', '¿Dónde se le vio por última vez?', 'Toledo')
  await person.fill('.lost-page', '¿Qué ayuda a encontrarlo?', 'Tiene miedo, no lo persigas.')
  await inspect('lost-form')
  await person.press('.lost-page button', 'Avisar a todos')
  await person.sees('.lost-page [role=status]', 'Ya buscamos a')
  await goto(ownDogPath)
  await person.sees('.lost-band', 'Tiene miedo, no lo persigas.')
  await inspect('lost-band')
  await goto('/perdidos')
  await person.sees('.wanted-band')
  await inspect('lost-list')
  await goto(`/perdidos/${id}/visto`)
  await person.sees('.sighting-form[data-ready]')
  await inspect('sighting-form')
  await goto('/encontrados')
  await inspect('found-form')
  await goto(`/perdidos/${id}`)
  await person.press('.lost-page summary', '¡En casa!')
  await person.press('.lost-page button', 'Sí, está en casa')
  await person.sees('.lost-page [role=status]', '¡Qué alegría!')
}
