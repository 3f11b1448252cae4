import type { KeyboardEvent } from 'react'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import type { DogFormView } from '#features/dogs/form/dog-form.client.ts'
import { ageHint } from '#features/dogs/form/validate.ts'
import { FREE_TEXT_NAMES, NAME_MAX_CHARS, WEIGHT_MAX_KG } from '#features/dogs/write/dog-fields.ts'
import { AGE_UNITS } from '#lib/age.ts'
import { isComposing } from '#ui/typing.client.ts'
import { BreedPicker } from './BreedPicker.tsx'
import { Choice, RelationCards, SizeCards } from './Choices.tsx'
import { Field, lineControl, textControl } from './Field.tsx'
import { ZonePicker } from './ZonePicker.tsx'

interface Props {
  form: DogFormView
}

/** The right column: the dog's own fields. `suggested` is the breed detected in its photo. */
export function DogFields({ form, suggested }: Props & { suggested: string | null }) {
  const { values, set } = form
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a phone's Enter key, of the fields inside
    <div className="df-main" onKeyDown={onPhoneEnter}>
      <Field form={form} name="name">
        {(control) => (
          <input
            {...control}
            {...lineControl(form, 'name')}
            autoCapitalize="words"
            // `maxLength` counts UTF-16 code units, so it is generous; the schema counts characters.
            maxLength={NAME_MAX_CHARS * 4}
            onBlur={() => form.tidyField('name')}
          />
        )}
      </Field>
      <div className="df-breed">
        <Field form={form} name="breed">
          {(control) => (
            <BreedPicker
              control={control}
              value={values.breed}
              names={form.names}
              suggested={suggested}
              onChange={(breed) => set({ breed })}
            />
          )}
        </Field>
        {values.breed === MIXED_BREED && (
          <Field form={form} name="mix" hint="Si lo dejas vacío, se guarda como Mestizo." className="df-mix">
            {(control) => (
              <input
                {...control}
                {...lineControl(form, 'mix')}
                autoCapitalize="none"
                placeholder="Opcional: labrador y galgo"
              />
            )}
          </Field>
        )}
      </div>
      <div className="df-two">
        <Field form={form} name="age" hint={ageHint(values.age_unit)}>
          {(control) => (
            <span className="df-age">
              <input {...control} {...lineControl(form, 'age')} inputMode="numeric" />
              <span className="seg" role="radiogroup" aria-label="Unidad de la edad">
                {AGE_UNITS.map((unit) => (
                  <Choice key={unit} form={form} name="age_unit" value={unit}>
                    {unit}
                  </Choice>
                ))}
              </span>
            </span>
          )}
        </Field>
        <Field form={form} name="weight" hint={`Hasta ${WEIGHT_MAX_KG} kg, con un decimal`}>
          {(control) => (
            <span className="df-kg">
              {/* A number field discards the comma when the browser's language uses a point. */}
              <input {...control} {...lineControl(form, 'weight')} inputMode="decimal" />
            </span>
          )}
        </Field>
      </div>
      <SizeCards form={form} />
      <Field form={form} name="zone">
        {(control) => (
          <ZonePicker
            control={control}
            value={values.zone}
            onChange={(zone) => set({ zone })}
            onLeave={() => form.tidyField('zone')}
          />
        )}
      </Field>
      <RelationCards form={form} />
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

/** The last fields: under the photos on a wide screen, at the end on a phone. */
export function LateFields({ form }: Props) {
  const { is_adopted } = form.values
  return (
    <div className="df-late">
      {FREE_TEXT_NAMES.map((name) => (
        <Field key={name} form={form} name={name}>
          {(control) => <textarea {...control} {...textControl(form, name)} rows={5} />}
        </Field>
      ))}
      <label className="switch">
        Adoptado
        <input
          type="checkbox"
          role="switch"
          aria-checked={is_adopted}
          name="is_adopted"
          checked={is_adopted}
          onChange={(event) => form.set({ is_adopted: event.target.checked })}
        />
      </label>
    </div>
  )
}
