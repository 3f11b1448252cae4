import { Compass, House } from 'lucide-react'
import { paths } from '#lib/paths.ts'
import type { Relationship } from '#features/dogs/write/dog-fields.ts'

interface Props {
  value: Relationship
  onChange: (value: Relationship) => void
}

const CHOICES = [
  { value: 'owner', Icon: House, name: 'Dueño', hint: 'Vive conmigo' },
  { value: 'discoverer', Icon: Compass, name: 'Descubridor', hint: 'Lo he visto paseando' },
] as const

export function RelationCards({ value, onChange }: Props) {
  return (
    <fieldset className="field">
      <legend className="lab">¿Qué relación tienes?</legend>
      <div className="df-relations">
        {CHOICES.map(({ value: choice, Icon, name, hint }) => (
          <label key={choice} className="df-relation">
            <input
              type="radio"
              name="relationship"
              value={choice}
              checked={value === choice}
              onChange={() => onChange(choice)}
              className="sr"
            />
            <Icon aria-hidden />
            <b>{name}</b>
            <small>{hint}</small>
          </label>
        ))}
      </div>
      <a className="df-found" href={paths.foundForm}>
        Lo he encontrado y está perdido
      </a>
    </fieldset>
  )
}
