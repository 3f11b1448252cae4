import { Check, ChevronDown, Search, Sparkles } from 'lucide-react'
import { useMemo, useState } from 'react'
import { MIXED_BREED, normaliseBreed } from '#features/breeds/breeds.ts'
import { searchBreeds } from '#features/breeds/search.ts'
import { paths } from '#lib/paths.ts'
import { foldText } from '#lib/text/text.ts'
import { Combobox, HighlightedMatch } from './Combobox.tsx'
import type { FieldControl } from './Field.tsx'

interface Props {
  control: FieldControl
  /** The chosen catalogue name; '' for none. */
  value: string
  onChange: (name: string) => void
  /** Every catalogue name; null while they load. */
  names: readonly string[] | null
  /** The detected breed, marked «Sugerida». */
  suggested: string | null
}

/** The breed's combobox: only names of the catalogue can be chosen. */
export function BreedPicker({ control, value, onChange, names, suggested }: Props) {
  const [isOpen, setOpen] = useState(false)
  /** The typed text; null while the field shows the choice. */
  const [typed, setTyped] = useState<string | null>(null)

  /** The suggestion at the top of the list. It must not change under the active option, so it is fixed while the list is open. */
  const [lead, setLead] = useState(suggested)
  if (!isOpen && lead !== suggested) setLead(suggested)

  const hits = useMemo(
    () => (isOpen ? suggestedFirst(searchBreeds(typed ?? '', names ?? []), typed, lead) : []),
    [isOpen, names, typed, lead],
  )
  const close = () => {
    setOpen(false)
    setTyped(null)
  }
  const choose = (name: string) => {
    onChange(name)
    close()
  }
  /** On leaving the field a complete name becomes the choice and an empty text clears it; any other text is discarded. */
  const onBlur = () => {
    if (typed !== null) {
      const exact = names?.find((name) => foldText(name) === foldText(typed.trim()))
      if (exact) onChange(exact)
      else if (!typed.trim()) onChange('')
    }
    close()
  }
  return (
    <Combobox
      {...control}
      label="Razas"
      names={hits}
      isOpen={isOpen}
      first={typed === null ? Math.max(0, hits.indexOf(value)) : typed.trim() ? 0 : -1}
      choosesOnTab={Boolean(typed?.trim())}
      open={() => setOpen(true)}
      close={close}
      choose={choose}
      onType={(text) => {
        setTyped(text)
        setOpen(true)
      }}
      autoCapitalize="none"
      placeholder="Buscar raza…"
      value={typed ?? value}
      onClick={() => setOpen(true)}
      onFocus={(event) => event.target.select()}
      onBlur={onBlur}
      before={value && typed === null ? <Portrait name={value} /> : <Search aria-hidden />}
      after={<ChevronDown aria-hidden className="df-pick-arrow" />}
      none={names ? NONE_TEXT : 'Cargando razas…'}
      status={isOpen && typed && names ? countText(hits.length) : ''}
    >
      {(name) => (
        <>
          <Portrait name={name} />
          <HighlightedMatch name={name} typed={typed} />
          {name === suggested && (
            <span className="badge park">
              <Sparkles aria-hidden />
              Sugerida
            </span>
          )}
          {name === value && <Check aria-label="elegida" />}
        </>
      )}
    </Combobox>
  )
}

const NONE_TEXT = 'No se encontró ninguna raza'
const countText = (count: number) =>
  count === 0 ? NONE_TEXT : count === 1 ? '1 raza encontrada' : `${count} razas encontradas`

/** With nothing typed, puts the suggestion first, then the mixed breed: it is the most common and hard to find under «M». */
function suggestedFirst(hits: string[], typed: string | null, suggested: string | null): string[] {
  if (typed?.trim()) return hits
  const leading = [...new Set([suggested ?? MIXED_BREED, MIXED_BREED])].filter((name) => hits.includes(name))
  return [...leading, ...hits.filter((name) => !leading.includes(name))]
}

/** The breed's portrait; nothing without one. */
function Portrait({ name }: { name: string }) {
  const [missingName, setMissingName] = useState<string | null>(null)
  if (missingName === name) return null
  return (
    <span className="df-portrait">
      <img
        src={paths.portrait(normaliseBreed(name))}
        alt=""
        width={44}
        height={44}
        loading="lazy"
        decoding="async"
        onError={() => setMissingName(name)}
      />
    </span>
  )
}
