import { HONEYPOT_FIELD } from '#lib/honeypot.ts'

/** A hidden field that only programs fill in, not people or their password managers. `id` is the field's. */
export const Honeypot = ({ id }: { id: string }) => (
  <div className="trap" aria-hidden="true">
    <label htmlFor={id}>Deja este campo vacío</label>
    <input
      id={id}
      name={HONEYPOT_FIELD}
      tabIndex={-1}
      autoComplete="off"
      data-1p-ignore=""
      data-lpignore="true"
      data-bwignore=""
    />
  </div>
)
