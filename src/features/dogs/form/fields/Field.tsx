import { TriangleAlert } from 'lucide-react'
import type { ChangeEvent, ReactNode } from 'react'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import type { DogFormView } from '#features/dogs/form/dog-form.client.ts'
import { DOG_FIELDS, type FreeText } from '#features/dogs/write/dog-fields.ts'

/** Attributes that connect a control with its label, hint and error. */
export interface FieldControl {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

type TextName = 'name' | 'mix' | 'age' | 'weight' | FreeText

interface Props {
  form: DogFormView
  name: TextName | 'breed' | 'zone'
  hint?: string
  /** Renders the control with these attributes. */
  children: (control: FieldControl) => ReactNode
  className?: string
}

/** A labelled field with its hint and error, and what is said of a tidied text. */
export function Field({ form, name, hint, children, className = '' }: Props) {
  const id = `df-${name}`
  // What is wrong with a mix is the breed's error, and stands at the mix.
  const isAtMix = name === 'breed' && form.values.breed === MIXED_BREED
  const error = isAtMix ? undefined : form.errors[name === 'mix' ? 'breed' : name]
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>
        {name === 'mix' ? '¿Mezcla de qué?' : DOG_FIELDS[name].label}{' '}
        {name !== 'mix' && name !== 'breed' && <Optional />}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy || undefined })}
      {(name === 'name' || name === 'zone') && (
        <span className="hint" role="status">
          {form.notes[name]}
        </span>
      )}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}

/** The attributes of a text's control. */
export const textControl = (form: DogFormView, name: TextName) => ({
  className: 'input',
  name,
  value: form.values[name],
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => form.set({ [name]: event.target.value }),
})

/** Those of one line: a phone's keyboard leads to the next field. */
export const lineControl = (form: DogFormView, name: TextName) =>
  ({ ...textControl(form, name), autoComplete: 'off', enterKeyHint: 'next' }) as const

/** Says of a field's label that the field may stay empty. */
export const Optional = () => <span className="hint">(opcional)</span>

/** An error has an icon and a text, never colour alone. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p className="err" id={id}>
      <TriangleAlert aria-hidden />
      <span>{text}</span>
    </p>
  ) : null
}
