import { type KeyboardEvent, useId, useState } from 'react'
import { stepOption } from '#lib/combobox.ts'
import { isComposing } from '#ui/typing.client.ts'
import { optionId } from './OptionList.tsx'

interface Options {
  /** The options of the open list. */
  names: readonly string[]
  isOpen: boolean
  close: () => void
  choose: (name: string) => void
  /** Opens the list with an arrow key or Enter. Without it these keys keep their default on a closed list. */
  open?: () => void
  /** Whether the arrow keys stop at the field between the last and the first option. */
  isFieldStop: boolean
  /** Whether Tab chooses the active option before it leaves the field. */
  choosesOnTab?: boolean
}

/** The keys and ARIA attributes of a combobox (ARIA 1.2): the field keeps the focus, aria-activedescendant names the option. */
export function useCombobox({ names, isOpen, close, choose, open, isFieldStop, choosesOnTab = false }: Options) {
  const listId = useId()
  const [active, setActive] = useState(-1)
  const activeName = isOpen ? names[active] : undefined

  const onArrow = (step: 1 | -1): boolean => {
    if (isOpen) setActive(stepOption(active, step, names.length, isFieldStop))
    else open?.()
    return isOpen || open !== undefined
  }
  const onEnter = (): boolean => {
    if (activeName !== undefined) choose(activeName)
    else if (!isOpen) open?.()
    // A combobox that opens by keys never submits the form.
    return activeName !== undefined || open !== undefined
  }
  /** True for a key that needs no default. */
  const handleKey = (event: KeyboardEvent): boolean => {
    switch (event.key) {
      case 'ArrowDown':
        return onArrow(1)
      case 'ArrowUp':
        return onArrow(-1)
      case 'Enter':
        return onEnter()
      case 'Escape':
        if (!isOpen) return false
        // Closes the list, not the dialog.
        event.stopPropagation()
        close()
        return true
      case 'Tab':
        if (activeName !== undefined && choosesOnTab) choose(activeName)
        return false
      default:
        return false
    }
  }

  return {
    listId,
    active,
    setActive,
    inputProps: {
      className: 'input',
      role: 'combobox',
      'aria-expanded': isOpen,
      'aria-controls': listId,
      'aria-autocomplete': 'list',
      'aria-activedescendant': activeName === undefined ? undefined : optionId(listId, active),
      autoComplete: 'off',
      enterKeyHint: 'done',
      spellCheck: false,
      onKeyDown: (event: KeyboardEvent) => {
        if (!isComposing(event.nativeEvent) && handleKey(event)) event.preventDefault()
      },
    } as const,
  }
}
