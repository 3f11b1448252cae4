import { Check, ChevronDown, Search, Sparkles } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { MIXED_BREED, normaliseBreed } from '#features/breeds/breeds.ts'
import { searchBreeds } from '#features/breeds/search.ts'
import { paths } from '#lib/paths.ts'
import { foldText } from '#lib/text/text.ts'
import { HighlightedMatch, OptionList, optionId } from './OptionList.tsx'

const NO_NAMES: readonly string[] = []

interface Props {
  id: string
  /** The chosen catalogue name, '' for none. */
  value: string
  onChange: (name: string) => void
  /** Every catalogue name; null while they load. */
  names: readonly string[] | null
  /** What the detection proposes, marked «Sugerida». */
  suggested?: string | null
  describedBy: string | undefined
  invalid: boolean
}

/** The breed's combobox (ARIA 1.2: the list is named by the field, the active option by aria-activedescendant). */
export function BreedPicker({ id, value, onChange, names, suggested, describedBy, invalid }: Props) {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  /** What is being typed; null while the field shows the choice. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(-1)

  /** What leads the list. It stays while the list is open: the active option must not become another. */
  const [lead, setLead] = useState(suggested)
  if (!isOpen && lead !== suggested) setLead(suggested)

  const hits = useMemo(() => suggestedFirst(searchBreeds(typed ?? '', names ?? []), typed, lead), [names, typed, lead])
  const current = isOpen ? hits[active] : undefined

  const open = (at = Math.max(0, hits.indexOf(value))) => {
    setOpen(true)
    setActive(at)
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
  const type = (text: string) => {
    setTyped(text)
    setOpen(true)
    setActive(text.trim() ? 0 : -1)
  }
  /** Leaving the field: a whole name typed is a choice, nothing typed is none; anything else gives the choice back. */
  const leave = () => {
    if (typed !== null) {
      const exact = names?.find((name) => foldText(name) === foldText(typed.trim()))
      if (exact) onChange(exact)
      else if (!typed.trim()) onChange('')
    }
    close()
  }
  const step = (by: number) => {
    if (!isOpen) open()
    else if (hits.length) setActive((active + by + hits.length) % hits.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
        step(1)
        break
      case 'ArrowUp':
        step(-1)
        break
      case 'Enter':
        // Never sends the form from here: the list is what Enter is about.
        if (current) choose(current)
        else if (!isOpen) open()
        break
      case 'Escape':
        if (!isOpen) return
        event.stopPropagation()
        close()
        break
      case 'Tab':
        if (current && typed?.trim()) choose(current)
        return
      default:
        return
    }
    event.preventDefault()
  }

  return (
    <div className="df-pick" data-open={isOpen || undefined}>
      <div className="df-pick-box">
        {value && typed === null ? <Portrait name={value} /> : <Search aria-hidden />}
        <input
          className="input"
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current ? optionId(listId, active) : undefined}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="done"
          spellCheck={false}
          placeholder="Buscar raza…"
          value={typed ?? value}
          onChange={(event) => type(event.target.value)}
          onClick={() => isOpen || open()}
          onFocus={(event) => event.target.select()}
          onBlur={leave}
          onKeyDown={onKeyDown}
        />
        <ChevronDown aria-hidden className="df-pick-arrow" />
      </div>
      <div className="df-pick-pop" hidden={!isOpen}>
        <OptionList id={listId} label="Razas" names={isOpen ? hits : NO_NAMES} active={active} onChoose={choose}>
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

const countText = (n: number) => (n === 1 ? '1 raza encontrada' : `${n} razas encontradas`)

/**
 * With nothing typed, the suggestion leads, then the mixed breed: it is the most common dog and hard to find under «M».
 */
function suggestedFirst(hits: string[], typed: string | null, suggested: string | null | undefined): string[] {
  if (typed?.trim()) return hits
  const first = [...new Set([suggested ?? MIXED_BREED, MIXED_BREED])].filter((name) => hits.includes(name))
  return [...first, ...hits.filter((name) => !first.includes(name))]
}

/** The breed's drawn portrait; nothing where there is none. */
function Portrait({ name }: { name: string }) {
  const [missing, setMissing] = useState<string | null>(null)
  if (missing === name) return null
  return (
    <span className="df-portrait">
      <img
        src={paths.portrait(normaliseBreed(name))}
        alt=""
        width={44}
        height={44}
        loading="lazy"
        decoding="async"
        onError={() => setMissing(name)}
      />
    </span>
  )
}
