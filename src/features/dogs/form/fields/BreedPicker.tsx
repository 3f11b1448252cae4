import { Check, ChevronDown, Search, Sparkles } from 'lucide-react'
import { useMemo, useState } from 'react'
import { MIXED_BREED, normaliseBreed } from '#features/breeds/breeds.ts'
import { searchBreeds } from '#features/breeds/search.ts'
import { paths } from '#lib/paths.ts'
import { foldText } from '#lib/text/text.ts'
import { HighlightedMatch, OptionList } from './OptionList.tsx'
import { useCombobox } from './useCombobox.client.ts'

const NO_NAMES: readonly string[] = []

interface Props {
  id: string
  /** The chosen catalogue name; '' for none. */
  value: string
  onChange: (name: string) => void
  /** Every catalogue name; null while they load. */
  names: readonly string[] | null
  /** The detected breed, marked «Sugerida». */
  suggested?: string | null
  describedBy: string | undefined
  invalid: boolean
}

/** The breed's combobox: only names of the catalogue can be chosen. */
export function BreedPicker({ id, value, onChange, names, suggested, describedBy, invalid }: Props) {
  const [isOpen, setOpen] = useState(false)
  /** The typed text; null while the field shows the choice. */
  const [typed, setTyped] = useState<string | null>(null)

  /** The suggestion at the top of the list. It must not change under the active option, so it is fixed while the list is open. */
  const [lead, setLead] = useState(suggested)
  if (!isOpen && lead !== suggested) setLead(suggested)

  const hits = useMemo(() => suggestedFirst(searchBreeds(typed ?? '', names ?? []), typed, lead), [names, typed, lead])

  const open = () => {
    setOpen(true)
    setActive(Math.max(0, hits.indexOf(value)))
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
    setActive(-1)
  }
  const choose = (name: string) => {
    onChange(name)
    close()
  }
  const { listId, active, setActive, inputProps } = useCombobox({
    names: hits,
    isOpen,
    open,
    close,
    choose,
    isFieldStop: false,
    choosesOnTab: Boolean(typed?.trim()),
  })
  const onType = (text: string) => {
    setTyped(text)
    setOpen(true)
    setActive(text.trim() ? 0 : -1)
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
    <div className="df-pick" data-open={isOpen || undefined}>
      <div className="df-pick-box">
        {value && typed === null ? <Portrait name={value} /> : <Search aria-hidden />}
        <input
          {...inputProps}
          id={id}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          autoCapitalize="none"
          placeholder="Buscar raza…"
          value={typed ?? value}
          onChange={(event) => onType(event.target.value)}
          onClick={() => isOpen || open()}
          onFocus={(event) => event.target.select()}
          onBlur={onBlur}
        />
        <ChevronDown aria-hidden className="df-pick-arrow" />
      </div>
      <div className="df-pick-pop" hidden={!isOpen}>
        <OptionList id={listId} label="Razas" names={isOpen ? hits : NO_NAMES} active={active} onChoose={choose}>
          {(name) => (
            <BreedOption name={name} typed={typed} isSuggested={name === suggested} isChosen={name === value} />
          )}
        </OptionList>
        {isOpen && hits.length === 0 && (
          <p className="df-none">{names ? 'No se encontró ninguna raza' : 'Cargando razas…'}</p>
        )}
      </div>
      <span className="sr" role="status">
        {isOpen && typed && names ? (hits.length ? countText(hits.length) : 'No se encontró ninguna raza') : ''}
      </span>
    </div>
  )
}

interface BreedOptionProps {
  name: string
  typed: string | null
  isSuggested: boolean
  isChosen: boolean
}

function BreedOption({ name, typed, isSuggested, isChosen }: BreedOptionProps) {
  return (
    <>
      <Portrait name={name} />
      <HighlightedMatch name={name} typed={typed} />
      {isSuggested && (
        <span className="badge park">
          <Sparkles aria-hidden />
          Sugerida
        </span>
      )}
      {isChosen && <Check aria-label="elegida" />}
    </>
  )
}

const countText = (count: number) => (count === 1 ? '1 raza encontrada' : `${count} razas encontradas`)

/** With nothing typed, puts the suggestion first, then the mixed breed: it is the most common and hard to find under «M». */
function suggestedFirst(hits: string[], typed: string | null, suggested: string | null | undefined): string[] {
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
