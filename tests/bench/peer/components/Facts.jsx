import art from '../lib/size-art.json'
import { formatNumber, shownAge } from '../lib/texts.js'

const SIZES = ['mini', 'pequeño', 'mediano', 'grande', 'gigante']

export function Facts({ dog }) {
  return (
    <dl className="facts">
      <div>
        <dt>Edad</dt>
        <dd>{shownAge(dog) ?? 'N/A'}</dd>
      </div>
      <div>
        <dt>Peso</dt>
        <dd>{dog.weight === null ? 'N/A' : `${formatNumber(dog.weight)} kg`}</dd>
      </div>
      <div>
        <dt>Tamaño</dt>
        <dd>
          {dog.size ? dog.size[0].toUpperCase() + dog.size.slice(1) : 'N/A'}
          {dog.size && (
            <span className="scale" aria-hidden="true">
              {SIZES.map((size) => (
                <svg key={size} className={size === dog.size ? 'on' : undefined} viewBox="-14 -68 104 72">
                  <g transform={`translate(${art[size].x} 0)`} fill="currentColor">
                    <path d={art[size].far} />
                    <path d={art[size].near} />
                    <path d={art[size].ear} />
                  </g>
                </svg>
              ))}
            </span>
          )}
        </dd>
      </div>
    </dl>
  )
}
