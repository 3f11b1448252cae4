import { TriangleAlert } from 'lucide-react'

/** What went wrong, read out at once. */
export function Problem({ text, id }: { text: string; id?: string }) {
  return (
    <p className="err" role="alert" id={id}>
      <TriangleAlert aria-hidden="true" />
      {text}
    </p>
  )
}
