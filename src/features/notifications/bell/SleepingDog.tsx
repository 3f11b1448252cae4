/** The illustration of an empty panel. */
export function SleepingDog() {
  return (
    <svg className="np-dog" viewBox="0 0 120 72" width="120" height="72" aria-hidden="true">
      <ellipse cx="58" cy="62" rx="50" ry="8" fill="var(--well)" />
      <path d="M20 60c-4-24 14-38 38-38 27 0 44 16 44 38z" fill="#c4793c" />
      <path d="M97 59c12 1 18-7 13-14 9 3 9 18-8 16z" fill="#9d5a28" />
      <path d="M60 60c2-13 22-16 32-7 3 3 3 5 2 7z" fill="#9d5a28" opacity=".5" />
      <path d="M14 48c0-12 10-19 22-19s21 7 21 17c0 9-9 15-22 15S14 57 14 48z" fill="#d18d50" />
      <path d="M14 53c2-4 8-6 15-6 8 0 13 3 13 7s-5 7-13 7c-7 0-13-3-15-8z" fill="#f6e6cf" />
      <ellipse cx="17" cy="51" rx="5" ry="4" fill="#2c211b" />
      <path d="M44 28c9 0 16 8 15 20-1 8-9 9-13 2-3-6-6-20-2-22z" fill="#9d5a28" />
      <path d="M24 42q4 4 8 0" fill="none" stroke="#2c211b" strokeWidth="2.4" strokeLinecap="round" />
      <path d="M52 61h-16c0-5 16-6 16 0z" fill="#f6e6cf" />
      <g fill="none" stroke="var(--ink-soft)" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M62 13h7l-7 8h7" />
        <path d="M75 3h5l-5 6h5" />
      </g>
    </svg>
  )
}
