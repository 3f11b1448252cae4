import type { KeyboardEvent } from 'react'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { AGE_UNITS } from '#lib/age.ts'
import { DOG_FIELDS, FREE_TEXT_NAMES, NAME_MAX_CHARS, WEIGHT_MAX_KG } from '#features/dogs/write/dog-fields.ts'
import { isComposing } from '#ui/typing.client.ts'
import { BreedPicker } from './BreedPicker.tsx'
import { Field } from './Field.tsx'
import { RelationCards } from './RelationCards.tsx'
import { SizeCards } from './SizeCards.tsx'
import { ZonePicker } from './ZonePicker.tsx'
import type { useDogForm } from '#features/dogs/form/useDogForm.client.ts'
import { ageHint } from '#features/dogs/form/validate.ts'

interface Props {
  form: ReturnType<typeof useDogForm>
}

/** The right column: the dog's own fields. `suggested` is the breed detected in its photo. */
export function DogFields({ form, suggested }: Props & { suggested: string | null }) {
  const { values, set, errors, names } = form
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a phone's Enter key, of the fields inside
    <div className="df-main" onKeyDown={onPhoneEnter}>
      <Field id="df-name" label={DOG_FIELDS.name.label} isOptional error={errors.name}>
        {(control) => (
          <>
            <input
              {...control}
              className="input"
              name="name"
              autoComplete="off"
              autoCapitalize="words"
              enterKeyHint="next"
              // `maxLength` counts UTF-16 code units, so it is generous; the schema counts characters.
              maxLength={NAME_MAX_CHARS * 4}
              value={values.name}
              onChange={(event) => set({ name: event.target.value })}
              onBlur={() => form.tidyField('name')}
            />
            <span className="hint" role="status">
              {form.notes.name}
            </span>
          </>
        )}
      </Field>
      <div className="df-breed">
        <Field
          id="df-breed"
          label={DOG_FIELDS.breed.label}
          error={values.breed === MIXED_BREED ? undefined : errors.breed}
        >
          {(control) => (
            <BreedPicker
              id={control.id}
              invalid={Boolean(control['aria-invalid'])}
              describedBy={control['aria-describedby']}
              value={values.breed}
              names={names}
              suggested={suggested}
              onChange={(breed) => set({ breed })}
            />
          )}
        </Field>
        {values.breed === MIXED_BREED && (
          <Field
            id="df-mix"
            label="¿Mezcla de qué?"
            error={errors.breed}
            hint="Si lo dejas vacío, se guarda como Mestizo."
            className="df-mix"
          >
            {(control) => (
              <input
                {...control}
                className="input"
                name="mix"
                autoComplete="off"
                autoCapitalize="none"
                enterKeyHint="next"
                placeholder="Opcional: labrador y galgo"
                value={values.mix}
                onChange={(event) => set({ mix: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <div className="df-two">
        <AgeField form={form} />
        <Field
          id="df-weight"
          label={DOG_FIELDS.weight.label}
          isOptional
          hint={`Hasta ${WEIGHT_MAX_KG} kg, con un decimal`}
          error={errors.weight}
        >
          {(control) => (
            <span className="df-kg">
              <input
                {...control}
                className="input"
                name="weight"
                // A number field discards the comma when the browser's language uses a point.
                inputMode="decimal"
                enterKeyHint="next"
                autoComplete="off"
                value={values.weight}
                onChange={(event) => set({ weight: event.target.value })}
              />
            </span>
          )}
        </Field>
      </div>
      <SizeCards value={values.size} onChange={(size) => set({ size })} />
      <Field id="df-zone" label={DOG_FIELDS.zone.label} isOptional error={errors.zone}>
        {(control) => (
          <>
            <ZonePicker
              control={control}
              value={values.zone}
              onChange={(zone) => set({ zone })}
              onLeave={() => form.tidyField('zone')}
            />
            <span className="hint" role="status">
              {form.notes.zone}
            </span>
          </>
        )}
      </Field>
      <RelationCards value={values.relationship} onChange={(relationship) => set({ relationship })} />
    </div>
  )
}

/**
 * On a touch screen the keyboard's «siguiente» moves to the next field and «listo» closes the keyboard. Neither submits the
 * half-filled form.
 */
function onPhoneEnter(event: KeyboardEvent) {
  const field = event.target
  if (event.key !== 'Enter' || event.defaultPrevented || isComposing(event.nativeEvent)) return
  if (!(field instanceof HTMLInputElement) || !field.enterKeyHint || !matchMedia('(pointer: coarse)').matches) return
  event.preventDefault()
  const fields = [...event.currentTarget.querySelectorAll('input')].filter(({ enterKeyHint }) => enterKeyHint)
  const next = field.enterKeyHint === 'next' && fields[fields.indexOf(field) + 1]
  if (next) next.focus()
  else field.blur()
}

function AgeField({ form: { values, set, errors } }: Props) {
  return (
    <Field id="df-age" label={DOG_FIELDS.age.label} isOptional hint={ageHint(values.age_unit)} error={errors.age}>
      {(control) => (
        <span className="df-age">
          <input
            {...control}
            className="input"
            name="age"
            inputMode="numeric"
            enterKeyHint="next"
            autoComplete="off"
            value={values.age}
            onChange={(event) => set({ age: event.target.value })}
          />
          <span className="seg" role="radiogroup" aria-label="Unidad de la edad">
            {AGE_UNITS.map((unit) => (
              <label key={unit}>
                <input
                  type="radio"
                  name="age_unit"
                  value={unit}
                  checked={values.age_unit === unit}
                  onChange={() => set({ age_unit: unit })}
                />
                {unit}
              </label>
            ))}
          </span>
        </span>
      )}
    </Field>
  )
}

/** The last fields: under the photos on a wide screen, at the end on a phone. */
export function LateFields({ form: { values, set, errors } }: Props) {
  return (
    <div className="df-late">
      {FREE_TEXT_NAMES.map((name) => (
        <Field key={name} id={`df-${name}`} label={DOG_FIELDS[name].label} isOptional error={errors[name]}>
          {(control) => (
            <textarea
              {...control}
              className="input"
              name={name}
              rows={5}
              value={values[name]}
              onChange={(event) => set({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <label className="switch">
        Adoptado
        <input
          type="checkbox"
          role="switch"
          aria-checked={values.is_adopted}
          name="is_adopted"
          checked={values.is_adopted}
          onChange={(event) => set({ is_adopted: event.target.checked })}
        />
      </label>
    </div>
  )
}
