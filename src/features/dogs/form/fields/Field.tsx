import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Attributes that connect a control with its label, hint and error. */
export interface FieldControl {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface Props {
  id: string
  label: ReactNode
  error: string | undefined
  hint?: string
  isOptional?: boolean
  /** Renders the control with these attributes. */
  children: (control: FieldControl) => ReactNode
  className?: string
}

/** A labelled field with its hint and error. */
export function Field({ id, label, error, hint, isOptional, children, className = '' }: Props) {
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>
        {label} {isOptional && <Optional />}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy || undefined })}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}

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
