import type { MatrixWorld } from '#tests/support/matrix/world.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import type { Template } from './templates.ts'

/** The opinions on a dog's breed: as a visitor, who answers, the owner, and where nobody asks. */
export function listOpinionTemplates({ dog, found, loved }: MatrixWorld): Template {
  const pathOf = ({ id }: { id: string }) => `/perro/${id}/opiniones`
  const headingOf = ({ name }: { name: string }) => `¿Qué raza creéis que es ${name}?`
  return [
    { path: pathOf(loved), by: 'visitor', heading: headingOf(loved) },
    { path: pathOf({ id: UNKNOWN_ID }), by: 'visitor', heading: 'Perro no encontrado' },
    { path: `${pathOf(dog)}?aviso=motivo`, by: 'member', heading: headingOf(dog) },
    { path: pathOf(dog), by: 'owner', heading: headingOf(dog) },
    { path: pathOf(found), by: 'owner', heading: headingOf(found) },
  ]
}
