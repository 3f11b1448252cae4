import { capitalise } from '#lib/text/capitalise.ts'
import { Compass, House } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DogFormView } from '#features/dogs/form/dog-form.client.ts'
import { SIZES, type Size } from '#features/dogs/dogs.ts'
import { paths } from '#lib/paths.ts'
import { Optional } from './Field.tsx'
import { SIZE_DRAWINGS } from './size-drawings.ts'

interface Props {
  form: DogFormView
}

interface ChoiceProps extends Props {
  name: 'age_unit' | 'size' | 'relationship'
  value: string
  /** Of a card, which hides its radio button. */
  className?: string
  children: ReactNode
}

/** One of some values. */
export function Choice({ form, name, value, className, children }: ChoiceProps) {
  return (
    <label className={className}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={form.values[name] === value}
        onChange={() => form.set({ [name]: value })}
        className={className && 'sr'}
      />
      {children}
    </label>
  )
}

/** Five dogs drawn to one scale. A size is optional: «Quitar» clears the choice. */
export function SizeCards({ form }: Props) {
  return (
    <fieldset className="field">
      <legend className="lab">
        <span>
          Tamaño <Optional />
        </span>
        {form.values.size && (
          <button type="button" className="hint df-clear" onClick={() => form.set({ size: '' })}>
            Quitar
          </button>
        )}
      </legend>
      <div className="df-sizes">
        {SIZES.map((size) => (
          <Choice key={size} form={form} name="size" value={size} className="mid soft df-card df-size">
            <Silhouette size={size} />
            <span>{capitalise(size)}</span>
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}

function Silhouette({ size }: { size: Size }) {
  const { x, far, near, ear, collar, collarWidth } = SIZE_DRAWINGS[size]
  return (
    <svg viewBox="-14 -68 104 72" aria-hidden="true">
      <path className="df-ground" d="M-14 1h104" />
      <g transform={`translate(${x} 0)`}>
        <path className="df-far" d={far} />
        <path className="df-near" d={near} />
        <path className="df-ear" d={ear} />
        <path className="df-collar" d={collar} strokeWidth={collarWidth} />
      </g>
    </svg>
  )
}

const RELATIONS = [
  { value: 'owner', Icon: House, name: 'Dueño', hint: 'Vive conmigo' },
  { value: 'discoverer', Icon: Compass, name: 'Descubridor', hint: 'Lo he visto paseando' },
]

export function RelationCards({ form }: Props) {
  return (
    <fieldset className="field">
      <legend className="lab">¿Qué relación tienes?</legend>
      <div className="df-relations">
        {RELATIONS.map(({ value, Icon, name, hint }) => (
          <Choice key={value} form={form} name="relationship" value={value} className="df-card df-relation">
            <Icon aria-hidden />
            <b>{name}</b>
            <small>{hint}</small>
          </Choice>
        ))}
      </div>
      <a className="tap df-found" href={paths.foundForm}>
        Lo he encontrado y está perdido
      </a>
    </fieldset>
  )
}
