import { HONEYPOT_FIELD } from '#lib/honeypot.ts'

/** For programs that fill in whatever they find; neither people nor their password managers do. `id` is the field's. */
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
