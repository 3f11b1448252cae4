const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'

// The paths of lucide's info, circle-check, triangle-alert and x, so that pages need no icon library for four icons.
const ICON_PATHS = {
  info: ['M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20', 'M12 16v-4', 'M12 8h.01'],
  success: ['M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20', 'm9 12 2 2 4-4'],
  error: ['m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3', 'M12 9v4', 'M12 17h.01'],
  close: ['M18 6 6 18', 'm6 6 12 12'],
}

function createIcon(name: keyof typeof ICON_PATHS): SVGElement {
  const svg = document.createElementNS(SVG_NAMESPACE, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'ic')
  svg.setAttribute('aria-hidden', 'true')
  for (const shape of ICON_PATHS[name]) {
    const path = document.createElementNS(SVG_NAMESPACE, 'path')
    path.setAttribute('d', shape)
    svg.append(path)
  }
  return svg
}

function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  element.className = className
  element.append(...children)
  return element
}

interface ToastContent {
  title: string
  text: string | undefined
  kind: 'info' | 'success' | 'error'
}

/** One message: icon, title, text and a button that calls `onClose`. */
export function createToastElement({ title, text, kind }: ToastContent, onClose: () => void): HTMLElement {
  const words = createElement(
    'div',
    'toast-words',
    createElement('b', '', title),
    ...(text ? [createElement('p', '', text)] : []),
  )
  const close = createElement('button', 'toast-close', createIcon('close'))
  close.type = 'button'
  close.setAttribute('aria-label', 'Cerrar aviso')
  close.addEventListener('click', onClose)
  const element = createElement('div', `toast toast-${kind}`, createIcon(kind), words, close)
  element.tabIndex = 0
  return element
}
