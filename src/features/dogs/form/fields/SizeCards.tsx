import { SIZES, type Size } from '#features/dogs/dogs.ts'
import { Optional } from './Field.tsx'
import { SIZE_DRAWINGS } from './size-drawings.ts'

interface Props {
  value: Size | ''
  onChange: (size: Size | '') => void
}

const label = (size: Size) => size[0]!.toUpperCase() + size.slice(1)

/** Five dogs drawn to one scale. A size is optional: «Quitar» clears the choice. */
export function SizeCards({ value, onChange }: Props) {
  return (
    <fieldset className="field">
      <legend className="lab">
        <span>
          Tamaño <Optional />
        </span>
        {value && (
          <button type="button" className="df-clear" onClick={() => onChange('')}>
            Quitar
          </button>
        )}
      </legend>
      <div className="df-sizes">
        {SIZES.map((size) => (
          <label key={size} className="df-size">
            <input
              type="radio"
              name="size"
              value={size}
              checked={value === size}
              onChange={() => onChange(size)}
              className="sr"
            />
            <Silhouette size={size} />
            <span>{label(size)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Silhouette({ size }: { size: Size }) {
  const { x, far, near, ear, collar, collarWidth } = SIZE_DRAWINGS[size]
  return (
    <svg viewBox="-14 -68 104 72" aria-hidden="true">
      <path className="df-ground" d="M-14 1h104" />
      <g transform={`translate(${x} 0)`}>
        <path className="df-far" d={far} />
        <path className="df-near" d={near} />
        <path className="df-ear" d={ear} />
        <path className="df-collar" d={collar} strokeWidth={collarWidth} />
      </g>
    </svg>
  )
}
